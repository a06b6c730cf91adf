// Copying and printing need a script; without it what is shown can be selected, and codes can be downloaded.

// Browsers let a page write to the clipboard only where it came over HTTPS or from this machine.
const hidden =
  navigator.clipboard === undefined ? 'button[data-print]' : 'button[data-copy], button[data-print]'
for (const button of document.querySelectorAll(hidden)) button.hidden = false

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.dataset.print !== undefined) print()
  if (button?.dataset.copy !== undefined) void copy(button)
})

/** @param {HTMLElement} button What was clicked; it says what to copy, and then that it was copied. */
async function copy(button) {
  const source = document.getElementById(button.dataset.copy ?? '')
  const codes = [...(source?.querySelectorAll('code') ?? [])]
  try {
    // Spaces are for the eye.
    await navigator.clipboard.writeText(
      codes.map((code) => code.textContent.replaceAll(/\s/g, '')).join('\n'),
    )
  } catch {
    // The user refused, or the page is not in front: selected, it is one key away.
    if (source !== null) getSelection()?.selectAllChildren(source)
    return
  }
  const status = document.querySelector('[data-copied]')
  if (!(status instanceof HTMLElement)) return
  status.textContent = status.dataset.copied ?? ''
  button.textContent = status.textContent
}
