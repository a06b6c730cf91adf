// Shows what was typed into a password field. Without this script its button stays hidden.

for (const button of document.querySelectorAll('button[data-show]')) {
  const field = document.getElementById(button.dataset.show ?? '')
  const text = button.firstElementChild
  if (!(field instanceof HTMLInputElement) || text === null) continue
  const { textContent: show } = text
  const hide = button.dataset.shown ?? ''
  /** @param {boolean} isShown Whether the password can be read. */
  const turn = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    text.textContent = isShown ? hide : show
  }
  button.hidden = false
  button.addEventListener('click', () => {
    turn(field.type === 'password')
    field.focus()
  })
  // Browsers keep a password only when its field is one.
  field.form?.addEventListener('submit', () => turn(false))
}
