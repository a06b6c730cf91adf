import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'

import { App } from 'sallyport'
import { readModules } from '../../src/app/module-loading.ts'

// What defineModule() makes; a file in a folder for temporary ones cannot import the package by name.
const MODULE = 'export default { name: null, source: undefined, configure: () => undefined }\n'

interface Folder {
  readonly warnings: readonly string[]
  /** Names of the modules. */
  readonly load: () => Promise<readonly (string | null)[]>
}

/** Files by their path; a link has its target behind an arrow. */
function folderOf(t: TestContext, files: Readonly<Record<string, string>>): Folder {
  const root = mkdtempSync(join(tmpdir(), 'sallyport-modules-'))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'modules'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    if (text.startsWith('->')) symlinkSync(join(root, text.slice(2)), join(root, path))
    else writeFileSync(join(root, path), text)
  }
  const warnings: string[] = []
  t.mock.method(process, 'emitWarning', (text: string) => warnings.push(text))
  const load = async (): Promise<readonly (string | null)[]> => {
    const modules = await readModules(pathToFileURL(join(root, 'modules')))
    return modules.map(({ name }) => name)
  }
  return { warnings, load }
}

describe('App.modulesFrom()', () => {
  it('loads module.ts and module.js of each folder, a link to one included, in the order of the names', async (t) => {
    const { load, warnings } = folderOf(t, {
      'modules/shop/module.ts': MODULE,
      'modules/account/module.js': MODULE,
      'elsewhere/module.ts': MODULE,
      'modules/linked': '->elsewhere',
      'modules/a # b%20?/module.ts': MODULE,
      'modules/README.md': 'text',
    })

    assert.deepEqual(await load(), ['a # b%20?', 'account', 'linked', 'shop'])
    assert.deepEqual(warnings, [])
  })

  it('names a folder that it skips, unless its name marks it as none', async (t) => {
    const { load, warnings } = folderOf(t, {
      'modules/shop/modul.ts': MODULE,
      'modules/_shared/helper.ts': '',
      'modules/.cache/x': '',
    })

    assert.deepEqual(await load(), [])
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /shop/)
  })

  for (const [what, files, message] of [
    [
      'without a default export',
      { 'modules/shop/module.ts': 'export const shop = 1\n' },
      /no default export/,
    ],
    ['with another default export', { 'modules/shop/module.ts': 'export default {}\n' }, /defineModule/],
    [
      'with null as its default export',
      { 'modules/shop/module.ts': 'export default null\n' },
      /defineModule/,
    ],
    [
      'that is there twice',
      { 'modules/shop/module.ts': MODULE, 'modules/shop/module.js': MODULE },
      /module\.ts and a module\.js/,
    ],
  ] as const) {
    it(`refuses a module ${what}, and names it`, async (t) => {
      await assert.rejects(folderOf(t, files).load(), (error: unknown) => {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, message)
        assert.match(error.message, /shop/)
        return true
      })
    })
  }

  for (const [what, folder, reason] of [
    ['a folder that does not exist', 'missing', 'there is no such folder'],
    ['a file in place of the folder', 'file.ts', 'it is not a folder'],
    ['a dangling link', 'links', 'there is no such folder'],
  ] as const) {
    it(`refuses ${what}, and names it`, async (t) => {
      const root = mkdtempSync(join(tmpdir(), 'sallyport-modules-'))
      t.after(() => rmSync(root, { recursive: true }))
      writeFileSync(join(root, 'file.ts'), '')
      mkdirSync(join(root, 'links'))
      symlinkSync(join(root, 'nowhere'), join(root, 'links/shop'))
      const app = App.create().modulesFrom(pathToFileURL(join(root, folder)))

      await assert.rejects(app.boot(), (error) => {
        assert.ok(error instanceof Error && error.cause instanceof Error)
        const path = join(root, folder === 'links' ? 'links/shop' : folder)
        assert.ok(error.message.startsWith(`Cannot load modules from ${JSON.stringify(path)}: ${reason}`))
        return true
      })
    })
  }

  for (const [what, file, text, place] of [
    [
      'invalid TypeScript',
      'module.ts',
      'const one = 1\nexport default defineModule((m) => { m.x( }\n',
      /module\.ts:2\)$/,
    ],
    ['invalid JavaScript', 'module.js', 'export default ;\n', /module\.js: Unexpected token/],
    [
      'a name that another file does not export',
      'module.ts',
      "\nimport { join, jion } from 'node:path'\nexport default join\n",
      /module\.ts:2\)$/,
    ],
    ['a file that imports an invalid one', 'module.ts', "import './broken.ts'\n", /broken\.ts:1\)$/],
  ] as const) {
    it(`names the file of a module, and the place: ${what} [HOLD-35]`, async (t) => {
      const { load } = folderOf(t, {
        [`modules/shop/${file}`]: text,
        'modules/shop/broken.ts': 'const x: = 1\n',
      })

      await assert.rejects(load(), (error) => {
        assert.ok(error instanceof SyntaxError)
        assert.match(error.message, new RegExp(`^Cannot load \\S+/modules/shop/${file}: `))
        assert.match(error.message, place)
        assert.ok(error.cause instanceof SyntaxError)
        return true
      })
    })
  }
})
