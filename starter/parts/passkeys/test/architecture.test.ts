import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('../../..', import.meta.url))
const LIBRARY = '@simplewebauthn/server'

// The program's own files.
const FILES: readonly string[] = globSync('{core,database,identity,modules,commands,parts}/**/*.ts', {
  cwd: STARTER,
}).filter((file) => !file.includes('/test/'))

function read(path: string): string {
  return readFileSync(join(STARTER, path), 'utf8')
}

/** The names that a file imports from the library, other than types. */
function valuesOf(file: string): readonly string[] {
  const clause =
    new RegExp(`import (?!type)[^']*?\\{([^}]*)\\}\\s*from '${LIBRARY}'`).exec(read(file))?.[1] ?? ''
  return clause.split(',').flatMap((name) => (/^\s*(type\s|$)/.test(name) ? [] : [name.trim()]))
}

describe('passkeys', () => {
  it('are checked by the WebAuthn library, in one file, and by nothing else [FACTOR-42]', () => {
    const ceremonies = 'parts/passkeys/ceremonies.ts'

    assert.deepEqual(
      FILES.filter((file) => valuesOf(file).length > 0),
      [ceremonies],
    )
    assert.deepEqual(
      valuesOf(ceremonies).filter((name) => name.startsWith('verify')),
      ['verifyAuthenticationResponse', 'verifyRegistrationResponse'],
    )
  })

  it('have no CBOR, COSE or signature code of our own [FACTOR-42]', () => {
    const own = /\b(cbor|createVerify|createPublicKey|crypto\.subtle|importKey|decodeCOSE|x509)\b/i

    assert.ok(FILES.length > 100)
    assert.deepEqual(
      FILES.filter((file) => own.test(read(file))),
      [],
    )
    // What would be found, so that the list is empty because nothing is there.
    for (const line of ["import { decode } from 'cbor'", 'createVerify("sha256")', 'crypto.subtle.verify()'])
      assert.match(line, own)
  })
})
