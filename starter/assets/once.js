// A form is sent once: of two clicks in a row the second is ignored. Without this script the second click would cancel
// the first request, whose answer, a new session among it, would reach nobody. Everything works without it.

const PATIENCE_MILLISECONDS = 10_000
/** @type {WeakMap<EventTarget, number>} */
const sent = new WeakMap()

document.addEventListener('submit', (event) => {
  const before = sent.get(event.target) ?? -Infinity
  // Not for good: after a stopped or broken request the same button has to work.
  if (event.timeStamp - before < PATIENCE_MILLISECONDS) event.preventDefault()
  else sent.set(event.target, event.timeStamp)
})

// "Back" may show the very page that was left, with all that it remembers.
addEventListener('pageshow', () => {
  for (const form of document.forms) sent.delete(form)
})
