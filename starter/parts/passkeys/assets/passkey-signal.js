// Has the browser forget passkeys that were removed (WebAuthn Signal API). The security page lists those that the account has; one that
// this tab saw on it earlier, and that is not there any more, was removed. A page never names what it has not seen, so one that is older
// than a new passkey does not have it forgotten. Browsers without the API do nothing.

/**
 * @typedef {{ rpId: string, account: string, credentialIds: string[] }} Known
 * @typedef {{ signalUnknownCredential?(removed: { rpId: string, credentialId: string }): Promise<void> }} Signals
 */

const signals = /** @type {{ PublicKeyCredential?: Signals }} */ (/** @type {unknown} */ (globalThis))

for (const element of document.querySelectorAll('[data-passkeys]')) {
  const known = /** @type {Known} */ (JSON.parse(element.getAttribute('data-passkeys') ?? ''))
  const { rpId, account, credentialIds } = known
  // The browser refuses what another name of this site tells.
  if (location.hostname !== rpId) continue
  const key = `passkeys of ${account}`
  const seen = /** @type {string[]} */ (JSON.parse(sessionStorage.getItem(key) ?? '[]'))
  for (const credentialId of seen.filter((id) => !credentialIds.includes(id)))
    signals.PublicKeyCredential?.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
  sessionStorage.setItem(key, JSON.stringify(credentialIds))
}
