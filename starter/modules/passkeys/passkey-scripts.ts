import { StaticFiles } from 'sallyport/files'

/**
 * The script of the library, as it is published, from our own origin: the policy of the pages allows no other, and nothing is
 * bundled.
 *
 * @returns The module that serves it.
 */
export function passkeyScripts(): StaticFiles {
  const library = import.meta.resolve('@simplewebauthn/browser')
  return new StaticFiles({ directory: new URL('../dist/bundle/', library), at: '/vendor', fingerprint: true })
}
