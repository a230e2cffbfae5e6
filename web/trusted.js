// Trusted Types policy (xtask/src/policy.rs): allows only scripts and workers
// from the page's own origin. Runs before all scripts of the page and the guide
// that load others: of those before it, `boot.js` and `served.js`, none does.
globalThis.trustedTypes?.createPolicy("default", {
  createScriptURL(address) {
    const { origin } = new URL(address, document.baseURI);
    if (origin !== location.origin) throw new TypeError(`a script from ${origin}`);
    return address;
  },
});
