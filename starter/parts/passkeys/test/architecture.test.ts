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

describe('passkeys', () => {
  it('are checked by sallyport-app, and by nothing beside it [FACTOR-42]', () => {
    assert.deepEqual(
      FILES.filter((file) => read(file).includes(LIBRARY)),
      [],
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
