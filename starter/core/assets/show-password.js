// Shows what was typed into a password field. Without this script its button stays hidden.

for (const button of document.querySelectorAll('button')) {
  const { show = '', shown = '' } = button.dataset
  const field = document.getElementById(show)
  const text = button.firstElementChild
  if (!(field instanceof HTMLInputElement) || text === null) continue
  const hidden = text.textContent
  /** @param {boolean} isShown Whether the password can be read. */
  const turn = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    text.textContent = isShown ? shown : hidden
  }
  // As text, a keyboard would correct it, and a dictionary might be told.
  for (const [name, value] of Object.entries({
    autocapitalize: 'none',
    autocorrect: 'off',
    spellcheck: 'false',
  }))
    field.setAttribute(name, value)
  button.hidden = false
  button.addEventListener('click', () => {
    turn(field.type === 'password')
    field.focus()
  })
  // Browsers keep a password only when its field is one.
  field.form?.addEventListener('submit', () => turn(false))
}
