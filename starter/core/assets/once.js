// A form is submitted once: of two clicks in a row, the second is ignored. Without this script the second click would cancel
// the first request, and its response, which may carry a new session, would be lost. Pages work without the script.

const PATIENCE_MILLISECONDS = 10_000
/** @type {WeakMap<EventTarget, number>} */
const sent = new WeakMap()

document.addEventListener('submit', (event) => {
  const before = sent.get(event.target) ?? -Infinity
  // Only for a while: after an aborted or failed request the button must work again.
  if (event.timeStamp - before < PATIENCE_MILLISECONDS) event.preventDefault()
  else sent.set(event.target, event.timeStamp)
})

// "Back" may restore the page with its state.
addEventListener('pageshow', () => {
  for (const form of document.forms) sent.delete(form)
})
