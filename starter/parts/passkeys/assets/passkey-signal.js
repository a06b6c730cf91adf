// Has the browser forget a passkey that was removed (WebAuthn Signal API). The page after its removal names it in
// `data-passkey-signal`. Browsers without the API do nothing.

/**
 * @typedef {{ rpId: string, credentialId: string }} Removed
 * @typedef {{ signalUnknownCredential?(removed: Removed): Promise<void> }} Signals
 */

const signals = /** @type {{ PublicKeyCredential?: Signals }} */ (/** @type {unknown} */ (globalThis))

for (const element of document.querySelectorAll('[data-passkey-signal]')) {
  const removed = /** @type {Removed} */ (JSON.parse(element.getAttribute('data-passkey-signal') ?? ''))
  // The browser refuses what another name of this site tells.
  if (location.hostname === removed.rpId)
    signals.PublicKeyCredential?.signalUnknownCredential?.(removed).catch(() => undefined)
}
