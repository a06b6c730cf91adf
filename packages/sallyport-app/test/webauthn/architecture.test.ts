import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const LIBRARY = '@simplewebauthn/server'
const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))
// An authenticator of tests answers, and checks nothing.
const FILES: readonly string[] = globSync('**/*.ts', { cwd: SOURCES }).filter(
  (file) => !file.startsWith('testing/'),
)

function read(file: string): string {
  return readFileSync(join(SOURCES, file), 'utf8')
}

/** The names that a file imports from the library, other than types. */
function valuesOf(file: string): readonly string[] {
  const clause =
    new RegExp(`import (?!type)[^']*?\\{([^}]*)\\}\\s*from '${LIBRARY}'`).exec(read(file))?.[1] ?? ''
  return clause.split(',').flatMap((name) => (/^\s*(type\s|$)/.test(name) ? [] : [name.trim()]))
}

describe('passkeys', () => {
  it('are checked by the WebAuthn library, in one file, and by nothing else [FACTOR-42]', () => {
    const one = 'webauthn/webauthn.ts'

    assert.deepEqual(
      FILES.filter((file) => valuesOf(file).length > 0),
      [one],
    )
    assert.deepEqual(
      valuesOf(one).filter((name) => name.startsWith('verify')),
      ['verifyAuthenticationResponse', 'verifyRegistrationResponse'],
    )
  })

  it('have no CBOR, COSE or signature code of our own [FACTOR-42]', () => {
    const own = /\b(cbor|createVerify|createPublicKey|crypto\.subtle|importKey|decodeCOSE|x509)\b/i

    assert.ok(FILES.length > 50)
    assert.deepEqual(
      FILES.filter((file) => own.test(read(file))),
      [],
    )
    // What would be found, so that the list is empty because nothing is there.
    for (const line of ["import { decode } from 'cbor'", 'createVerify("sha256")', 'crypto.subtle.verify()'])
      assert.match(line, own)
  })
})
