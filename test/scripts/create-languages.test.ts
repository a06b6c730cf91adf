import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { partsOf } from '../../packages/create-sallyport/src/catalogue.ts'
import { chooseLanguages } from '../../packages/create-sallyport/src/languages.ts'
import { filesOf } from '../../packages/create-sallyport/src/project.ts'
import { readRecord } from '../../packages/create-sallyport/src/record.ts'
import { run, succeed } from '../cli/packed-package.ts'
import { KIT } from './kit-project.ts'
import { CREATE, copyStarter, SHELL } from './starter-copy.ts'

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

describe('the languages of a new project', () => {
  it('are all of the kit, or some of them with English [RA-3323]', () => {
    assert.deepEqual(chooseLanguages(['en', 'de', 'fr'], undefined), ['en', 'de', 'fr'])
    assert.deepEqual(chooseLanguages(['en', 'de', 'fr'], ['fr', 'en']), ['en', 'fr'])
    assert.throws(() => chooseLanguages(['en', 'de'], ['en', 'tlh']), /no language "tlh": use en, de/)
    assert.throws(() => chooseLanguages(['en', 'de'], ['de']), /"en" must be one of the languages/)
    for (const words of [
      ['--languages', 'de'],
      ['--preset', 'minimal', '--languages', 'en,de'],
    ]) {
      const { code, out } = run(process.execPath, [CREATE, join(KIT, 'never'), '--yes', ...words], KIT)
      assert.deepEqual([code, existsSync(join(KIT, 'never'))], [1, false])
      assert.match(out, /^Cannot make a project: .*language/)
    }
  })

  it('leave no trace of another one, with every part [RA-3323]', () => {
    const parts = partsOf(KIT).map(({ name }) => name)
    const project = { name: 'my-app', parts, framework: '^0.1.0', version: '0.1.0' }
    const files = filesOf(KIT, { ...project, languages: ['en'] })
    // Passwords are guessed in any language.
    const others = [...files].filter(([path]) => !/^\.sallyport|^core\/accounts\/common-word\.ts$/.test(path))
    const german = /\bGerman\b|Deutsch|\bde[:,}]|['"`./]de\b(?!-)|, de\b|\{ de\b/

    assert.deepEqual(
      others.filter(([path, text]) => german.test(path) || german.test(String(text))).map(([path]) => path),
      [],
    )
    assert.ok(filesOf(KIT, { ...project, languages: ['en', 'de'] }).size >= files.size + parts.length)
  })
})

describe('a project in English alone', () => {
  let app = ''
  const check = (): ReturnType<typeof run> => run('env', [...SHELL, 'npm', 'run', 'check', '--silent'], app)
  const test = (...files: readonly string[]): string =>
    succeed('env', [...SHELL, process.execPath, '--test', ...files], app)
  const TESTS = ['test/messages/*.test.ts', 'test/flow/language.test.ts']

  before(() => {
    app = copyStarter(['--preset', 'standard', '--languages', 'en'])
  })

  it('type-checks, passes its tests and offers no choice [RA-3302 RA-3323]', () => {
    assert.deepEqual(readRecord(app).lock.languages, ['en'])
    assert.match(succeed('env', [...SHELL, 'npm', 'run', 'build', '--silent'], app), /: 0 faults, /)
    // With the last two: what looks at the name of the project, and at how many pages it has.
    const own = ['test/identity/accounts/password-rule.test.ts', 'test/flow/every-page.test.ts']
    const out = test(...TESTS, 'parts/sessions/test/*.test.ts', ...own)
    assert.match(out, /✔ is that of every page, and nothing offers a choice/)
    assert.match(out, /^ℹ fail 0$/m)
  })

  it('gets one more as its guide says, and no text can be forgotten [RA-3101 RA-3323]', () => {
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
    assert.match(test(...TESTS), /✔ is chosen by the person[^]*^ℹ fail 0$/m)
  })
})
