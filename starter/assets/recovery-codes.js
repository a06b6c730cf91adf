// Copying and printing need a script; without it the codes can be downloaded, or selected.

for (const button of document.querySelectorAll('button[data-copy], button[data-print]')) button.hidden = false

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.dataset.print !== undefined) print()
  if (button?.dataset.copy !== undefined) void copy(button)
})

/** @param {HTMLElement} button What was clicked; it says which codes, and then that they were copied. */
async function copy(button) {
  const codes = document.getElementById(button.dataset.copy ?? '')?.querySelectorAll('code') ?? []
  await navigator.clipboard.writeText([...codes].map((code) => code.textContent).join('\n'))
  const status = document.querySelector('[data-copied]')
  if (!(status instanceof HTMLElement)) return
  status.textContent = status.dataset.copied ?? ''
  button.textContent = status.textContent
}
