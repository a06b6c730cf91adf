// Tells the browser which passkeys this site knows, so that its list offers no others (WebAuthn Signal API). A page says what
// to tell in `data-passkey-signal`. Browsers without the API do nothing.

/**
 * @typedef {{ rpId: string, userId: string, allAcceptedCredentialIds: string[] }} Accepted
 * @typedef {{ signalAllAcceptedCredentials?(accepted: Accepted): Promise<void> }} Signals
 */

const signals = /** @type {{ PublicKeyCredential?: Signals }} */ (/** @type {unknown} */ (globalThis))

for (const element of document.querySelectorAll('[data-passkey-signal]')) {
  const accepted = /** @type {Accepted} */ (JSON.parse(element.getAttribute('data-passkey-signal') ?? ''))
  // The browser refuses what another name of this site tells.
  if (location.hostname === accepted.rpId)
    signals.PublicKeyCredential?.signalAllAcceptedCredentials?.(accepted).catch(() => undefined)
}
