import type { WebAuthnSite } from '../../src/webauthn/index.ts'

/** The site of the tests. */
export const SITE: WebAuthnSite = { name: 'Test', origin: () => 'https://app.test' }

/** @returns A page that asks for a passkey with these options. */
export function pageWith(options: string | undefined): string {
  return `<form data-options="${(options ?? '').replaceAll('"', '&quot;')}"></form>`
}
