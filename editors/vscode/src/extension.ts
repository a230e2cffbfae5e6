// Registers the debug adapter `lanewise dap`, and shows the page's picture of the current
// instruction in a panel.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import * as vscode from "vscode";

const TYPE = "lanewise";

/** The command line, as configured. */
const program = () => vscode.workspace.getConfiguration("lanewise").get<string>("path") || "lanewise";

export function activate(context: vscode.ExtensionContext) {
  const picture = new Picture();
  context.subscriptions.push(
    picture,
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(), ["dap"]),
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration }),
    vscode.debug.registerDebugAdapterTrackerFactory(TYPE, {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage(message: { type: string; event?: string }) {
          if (message.type === "event" && message.event === "stopped") void picture.follow(session);
        },
      }),
    }),
    vscode.commands.registerCommand("lanewise.showPicture", () => picture.open()),
  );
}

/** Without a configuration, debugs the open file, which then says what is missing. */
function resolveDebugConfiguration(_: unknown, configuration: vscode.DebugConfiguration) {
  if (configuration.type) return configuration;
  const file = vscode.window.activeTextEditor?.document.fileName;
  if (!file) return undefined;
  return { type: TYPE, request: "launch", name: "Lanewise", program: file, stopOnEntry: true };
}

/** Panel with the picture of the instruction at which the debugger stands. */
class Picture implements vscode.Disposable {
  private panel?: vscode.WebviewPanel;
  private server?: ChildProcess;
  private address?: Promise<string>;
  /** Number of pictures, so that the frame loads each one. */
  private count = 0;

  async open() {
    if (this.panel) {
      this.panel.reveal();
    } else {
      this.panel = vscode.window.createWebviewPanel(
        "lanewise.picture",
        "Lanewise",
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, retainContextWhenHidden: true },
      );
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.stop();
      });
      this.panel.webview.html = html();
    }
    const session = vscode.debug.activeDebugSession;
    if (session?.type === TYPE) await this.follow(session);
  }

  /** Shows the instruction at which a session stands, if the panel is open. */
  async follow(session: vscode.DebugSession) {
    if (!this.panel) return;
    try {
      this.address ??= this.start();
      const [address, { fragment }] = await Promise.all([this.address, session.customRequest("lanewise/link")]);
      this.count += 1;
      const url = `${address}?embed&readonly&panes=picture,state&at=${this.count}#${fragment}`;
      await this.panel?.webview.postMessage(url);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(`Lanewise cannot show the picture: ${why}`);
    }
  }

  /** Starts `lanewise serve` and returns the address of the page. */
  private start(): Promise<string> {
    const server = spawn(program(), ["serve", "--no-open", "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
    this.server = server;
    return new Promise((resolve, reject) => {
      let said = "";
      server.stderr.on("data", (bytes) => (said += bytes));
      const failed = (why: string) => {
        this.address = undefined;
        reject(new Error(why));
      };
      server.once("error", (error) => failed(error.message));
      server.once("exit", () => failed(said.trim() || "`lanewise serve` has ended"));
      createInterface(server.stdout).once("line", resolve);
    });
  }

  private stop() {
    this.server?.kill();
    [this.server, this.address] = [undefined, undefined];
  }

  dispose() {
    this.panel?.dispose();
    this.stop();
  }
}

/** The panel: a frame whose address the extension sends. */
function html() {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join("");
  const policy = `default-src 'none'; frame-src http://127.0.0.1:*; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <style nonce="${nonce}">html, body, iframe { width: 100%; height: 100%; margin: 0; padding: 0; border: 0 }</style>
  </head>
  <body>
    <iframe title="Picture of the instruction"></iframe>
    <script nonce="${nonce}">
      addEventListener("message", ({ data }) => {
        document.querySelector("iframe").src = data;
      });
    </script>
  </body>
</html>`;
}
