import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('..', import.meta.url))

/** The modules that the files of a folder import, each with the file. */
function importsOf(
  folder: string,
  recursive = true,
): readonly { readonly file: string; readonly name: string }[] {
  const files = readdirSync(join(STARTER, folder), { recursive, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(STARTER, folder, file), 'utf8')
      const names = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)]
      return names.map(([, name = '']) => ({ file, name }))
    })
}

function offenders(folder: string, isForbidden: RegExp): readonly string[] {
  return importsOf(folder).flatMap(({ file, name }) => (isForbidden.test(name) ? [`${file}: ${name}`] : []))
}

describe('the layers of the starter', () => {
  it('has no SQL in its modules: they import neither kysely nor the database', () => {
    assert.deepEqual(offenders('modules', /^kysely|\/database\//), [])
  })

  it('has no page in identity/: it imports neither a module nor a view', () => {
    assert.deepEqual(offenders('identity', /\/modules\/|\/views\/|^sallyport\/view/), [])
  })

  it('names parts in parts.ts alone', () => {
    const naming = ['.', 'commands', 'core', 'database', 'identity', 'messages', 'modules', 'operations']
      .flatMap((folder) =>
        importsOf(folder, folder !== '.').map(({ file, name }) => ({ file: join(folder, file), name })),
      )
      .filter(({ name }) => /\/parts\//.test(name))

    assert.deepEqual([...new Set(naming.map(({ file }) => file))], ['parts.ts'])
  })

  it('finds such imports where they are allowed', () => {
    assert.notDeepEqual(offenders('identity', /^kysely|\/database\//), [])
    assert.notDeepEqual(offenders('modules', /^sallyport\/view/), [])
  })
})

/** The names that a file imports from a module, other than types. */
function valuesFrom(folder: string, file: string, module: string): readonly string[] {
  const text = readFileSync(join(STARTER, folder, file), 'utf8')
  const clause = new RegExp(`import (?!type)[^']*?\\{([^}]*)\\}\\s*from '${module}'`).exec(text)?.[1] ?? ''
  return clause.split(',').flatMap((name) => (/^\s*(type\s|$)/.test(name) ? [] : [name.trim()]))
}

describe('passkeys', () => {
  const LIBRARY = '@simplewebauthn/server'
  const sources = ['identity', 'modules', 'database', 'commands']

  it('are checked by the WebAuthn library, in one file, and by nothing else [FACTOR-42]', () => {
    const using = sources.flatMap((folder) =>
      importsOf(folder).flatMap(({ file, name }) =>
        name === LIBRARY && valuesFrom(folder, file, LIBRARY).length > 0 ? [`${folder}/${file}`] : [],
      ),
    )

    assert.deepEqual(using, ['identity/factors/passkey-ceremonies.ts'])
    assert.deepEqual(
      valuesFrom('identity', 'factors/passkey-ceremonies.ts', LIBRARY).filter((name) =>
        name.startsWith('verify'),
      ),
      ['verifyAuthenticationResponse', 'verifyRegistrationResponse'],
    )
  })

  it('have no CBOR, COSE or signature code of our own [FACTOR-42]', () => {
    const own = /\b(cbor|createVerify|createPublicKey|crypto\.subtle|importKey|decodeCOSE|x509)\b/i
    const files = sources.flatMap((folder) =>
      readdirSync(join(STARTER, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    )

    assert.ok(files.length > 100)
    assert.deepEqual(
      files.filter((file) => own.test(readFileSync(join(STARTER, file), 'utf8'))),
      [],
    )
    // What would be found, so that the list is empty because nothing is there.
    for (const line of ["import { decode } from 'cbor'", 'createVerify("sha256")', 'crypto.subtle.verify()'])
      assert.match(line, own)
  })

  it('name the library in the manifest, in one exact version, and the decision why [FACTOR-42]', () => {
    const read = (path: string): string => readFileSync(join(STARTER, path), 'utf8')
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }

    assert.match(dependencies[LIBRARY] ?? '', /^\d+\.\d+\.\d+$/)
    assert.match(read('../docs/decisions/023-passkeys.md'), /@simplewebauthn\/server/)
  })
})
