import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { partsOf } from '../../packages/create-sallyport/src/catalogue.ts'
import { run, succeed } from '../cli/packed-package.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

// Each text becomes another one: a dot follows the first letter of its words, in texts with placeholders that of the great ones.
function inFrench(text: string): string {
  return text
    .replaceAll(
      /^(\s+(?:[\w'.-]+: )?)(['"])(.*)\2,$/gm,
      (_, before: string, quote: string, words: string) => {
        const other = words.includes('{')
          ? `${words.replaceAll(/\b[A-Z]/g, '$&·')} (fr)`
          : words.replaceAll(/\b[A-Za-z]/g, '$&·')
        return `${before}${quote}${other}${quote},`
      },
    )
    .replace("{ name: 'English', dates: 'en-GB' }", "{ name: 'Français', dates: 'fr' }")
    .replace(
      '/** Its texts in English. */\nexport const en = {',
      "import type { en } from './texts.en.ts'\n\n/** Its texts in French. */\nexport const fr: Readonly<Record<keyof typeof en, string>> = {",
    )
}

function edit(app: string, path: string, ...changes: readonly (readonly [before: string, after: string])[]) {
  let text = readFileSync(join(app, path), 'utf8')
  for (const [there, after] of changes) {
    assert.ok(text.includes(there), `${path} has ${there}`)
    text = text.replace(there, after)
  }
  writeFileSync(join(app, path), text)
}

describe('a project in English alone', () => {
  it('gets one more as its guide says, and no text can be forgotten [RA-3101 RA-3323]', () => {
    const app = copyStarter(['--preset', 'standard', '--languages', 'en'])
    const check = (): ReturnType<typeof run> => run('env', [...SHELL, 'npm', 'run', 'check', '--silent'], app)
    const core = join(app, 'core/messages')
    cpSync(join(core, 'en'), join(core, 'fr'), { recursive: true })
    for (const name of readdirSync(join(core, 'fr')))
      writeFileSync(join(core, 'fr', name), inFrench(readFileSync(join(core, 'fr', name), 'utf8')))
    edit(
      app,
      'core/messages/language.ts',
      ["from './en/texts.ts'\n", "from './en/texts.ts'\nimport * as fr from './fr/texts.ts'\n"],
      ["['en']", "['en', 'fr']"],
      ['= { en }', '= { en, fr }'],
    )
    const continued = "  'sign-in.continue': 'C·ontinue',\n"
    edit(app, 'core/messages/fr/sign-in.ts', [continued, ''])
    const parts = partsOf(app).map(({ name }) => `parts/${name}`)
    const { out } = check()
    assert.match(out, /^core\/messages\/language\.ts[^]*"sign-in\.continue"' is missing/m)
    for (const part of parts) assert.match(out, new RegExp(`^${part}/part\\.ts.*'fr' is missing`, 'm'))

    edit(app, 'core/messages/fr/sign-in.ts', ['= {\n', `= {\n${continued}`])
    for (const part of parts) {
      const english = readFileSync(join(app, part, 'texts.en.ts'), 'utf8')
      writeFileSync(join(app, part, 'texts.fr.ts'), inFrench(english))
      edit(
        app,
        `${part}/part.ts`,
        [
          "import { en } from './texts.en.ts'\n",
          "import { en } from './texts.en.ts'\nimport { fr } from './texts.fr.ts'\n",
        ],
        ['texts: { en }', 'texts: { en, fr }'],
      )
    }
    assert.deepEqual(check(), { code: 0, out: '' })
    const tests = ['test/messages/*.test.ts', 'test/flow/language.test.ts']
    assert.match(
      succeed('env', [...SHELL, process.execPath, '--test', ...tests], app),
      /✔ is chosen by the person[^]*^ℹ fail 0$/m,
    )
  })
})
