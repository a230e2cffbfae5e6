// The dividers between panes, by pointer and by keyboard. What a divider is
// asked for stands in its `data-size`, in percent, empty for the usual; the
// page hears a change event and decides.
const STEP = 2;

/** How much room there is, and how much of it the pane has. */
const measure = (divider) => {
  const { divider: which } = divider.dataset;
  const across = which === "--columns";
  const after = which === "--outcomes";
  const box = divider.parentElement;
  const pane = across
    ? document.getElementById("place-program")
    : after
      ? divider.nextElementSibling
      : divider.previousElementSibling;
  const style = getComputedStyle(box);
  const room = across
    ? box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    : box.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const size = across ? pane.offsetWidth : pane.offsetHeight;
  return { across, sign: after ? -1 : 1, room: Math.max(room, 1), size };
};

const ask = (divider, size) => {
  const least = Number(divider.ariaValueMin);
  const most = Number(divider.ariaValueMax);
  const percent = size === "" ? "" : String(Math.round(Math.min(most, Math.max(least, size))));
  if (divider.dataset.size === percent) return;
  divider.dataset.size = percent;
  divider.dispatchEvent(new Event("change", { bubbles: true }));
};

const dividerOf = (event) => event.target.closest?.("[role=separator][data-divider]");

addEventListener("pointerdown", (event) => {
  const divider = dividerOf(event);
  if (!divider || event.button !== 0) return;
  event.preventDefault();
  divider.focus();
  divider.setPointerCapture(event.pointerId);
  const { across, sign, room, size } = measure(divider);
  const at = (pointer) => (across ? pointer.clientX : pointer.clientY);
  const start = at(event);
  const move = (pointer) => {
    ask(divider, ((size + sign * (at(pointer) - start)) * 100) / room);
  };
  const end = () => {
    divider.removeEventListener("pointermove", move);
    divider.removeEventListener("lostpointercapture", end);
  };
  divider.addEventListener("pointermove", move);
  divider.addEventListener("lostpointercapture", end);
});

addEventListener("dblclick", (event) => {
  const divider = dividerOf(event);
  if (divider) ask(divider, "");
});

// Before the page's own keys.
document.addEventListener("keydown", (event) => {
  const divider = dividerOf(event);
  if (!divider || event.ctrlKey || event.altKey || event.metaKey) return;
  const { across, sign, room, size } = measure(divider);
  const now = (size * 100) / room;
  const [less, more] = across ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  if (event.key === less) ask(divider, now - sign * STEP);
  else if (event.key === more) ask(divider, now + sign * STEP);
  else if (event.key === "Home") ask(divider, 0);
  else if (event.key === "End") ask(divider, 100);
  else if (event.key === "Enter") ask(divider, "");
  else return;
  event.preventDefault();
});
