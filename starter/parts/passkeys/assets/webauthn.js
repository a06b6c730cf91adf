// Passkeys need a script: only it can ask the browser for one. A form says what to ask for in `data-passkey` and
// `data-options`, and is sent with the answer in its field `response`. Without this script it stays hidden.

/**
 * @typedef {import('@simplewebauthn/browser').PublicKeyCredentialCreationOptionsJSON} CreationOptions
 * @typedef {import('@simplewebauthn/browser').PublicKeyCredentialRequestOptionsJSON} RequestOptions
 */

// The library is a script of its own, before this one.
const library = /** @type {{ SimpleWebAuthnBrowser: typeof import('@simplewebauthn/browser') }} */ (
  /** @type {unknown} */ (globalThis)
).SimpleWebAuthnBrowser

/** @param {HTMLFormElement} form A form that asks for a passkey. */
function begin(form) {
  const json = form.dataset.options ?? ''
  const site = /** @type {{ rpId?: string, rp?: { id: string } }} */ (JSON.parse(json))
  const domain = site.rpId ?? site.rp?.id ?? ''
  // A site may be reached by several names. The browser or the server refuses what is asked for at any other one.
  if (location.hostname !== domain || !library.browserSupportsWebAuthn()) return

  for (const part of document.querySelectorAll('[data-unsupported]')) part.remove()
  form.hidden = false
  // The browser gives the focus only to what is visible when the page is drawn.
  const first = form.querySelector('[autofocus]')
  if (first instanceof HTMLElement) first.focus()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    event.stopPropagation()
    void answer(form, json, false)
  })
  if (form.dataset.passkey === 'sign-in') void offer(form, json)
}

/**
 * Conditional mediation: the browser lists passkeys where it lists addresses. It never ends with an error that a person sees.
 *
 * @param {HTMLFormElement} form A form that asks for a passkey.
 * @param {string} json Its options.
 */
async function offer(form, json) {
  const field = document.querySelector('input[autocomplete="username"]')
  if (!(field instanceof HTMLInputElement) || !(await library.browserSupportsWebAuthnAutofill())) return
  field.setAttribute('autocomplete', 'username webauthn')
  await answer(form, json, true)
}

/**
 * @param {HTMLFormElement} form A form that asks for a passkey.
 * @param {string} json Its options.
 * @param {boolean} isOffer Whether the browser only lists passkeys.
 */
async function answer(form, json, isOffer) {
  show(form, '')
  try {
    const given =
      form.dataset.passkey === 'create'
        ? await library.startRegistration({ optionsJSON: /** @type {CreationOptions} */ (JSON.parse(json)) })
        : await library.startAuthentication({
            optionsJSON: /** @type {RequestOptions} */ (JSON.parse(json)),
            useBrowserAutofill: isOffer,
          })
    const field = form.elements.namedItem('response')
    if (!(field instanceof HTMLInputElement)) return
    field.value = JSON.stringify(given)
    form.submit()
  } catch (error) {
    if (!isOffer) show(form, error instanceof Error ? error.name : '')
  }
}

/**
 * @param {HTMLFormElement} form A form that asks for a passkey.
 * @param {string} name Name of the error that the browser gave; empty for none.
 */
function show(form, name) {
  const reasons = /** @type {Record<string, string>} */ ({
    '': '',
    InvalidStateError: 'exists',
    NotAllowedError: 'cancelled',
    AbortError: 'cancelled',
  })
  const reason = reasons[name] ?? 'failed'
  const message = form.querySelector('p[data-passkey-message]')
  if (!(message instanceof HTMLElement)) return
  message.hidden = reason === ''
  // Only now, so that it is announced, and a page without an error has no alert.
  message.className = 'error'
  message.role = 'alert'
  message.textContent = message.dataset[reason] ?? ''
}

for (const form of document.forms) if (form.dataset.passkey !== undefined) begin(form)
