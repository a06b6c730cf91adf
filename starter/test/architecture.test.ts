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
