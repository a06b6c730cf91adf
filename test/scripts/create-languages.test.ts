import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { partsOf } from '../../packages/create-sallyport/src/catalogue.ts'
import { chooseLanguages } from '../../packages/create-sallyport/src/languages.ts'
import { filesOf } from '../../packages/create-sallyport/src/project.ts'
import { readRecord } from '../../packages/create-sallyport/src/record.ts'
import { run, succeed } from '../cli/packed-package.ts'
import { KIT } from './kit-project.ts'
import { CREATE, copyStarter, SHELL } from './starter-copy.ts'

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
    const german = /\bGerman\b|Deutsch|\bde[:,}]|['"`./=]de\b(?!-)|, de\b|\{ de\b/

    assert.deepEqual(
      others.filter(([path, text]) => german.test(path) || german.test(String(text))).map(([path]) => path),
      [],
    )
    assert.ok(filesOf(KIT, { ...project, languages: ['en', 'de'] }).size >= files.size + parts.length)
  })
})

describe('a project in English alone', () => {
  it('type-checks, passes its tests and offers no choice [RA-3302 RA-3323]', () => {
    const app = copyStarter(['--preset', 'standard', '--languages', 'en'])
    assert.deepEqual(readRecord(app).lock.languages, ['en'])
    assert.match(succeed('env', [...SHELL, 'npm', 'run', 'build', '--silent'], app), /: 0 faults, /)
    // With the last two: what looks at the name of the project, and at how many pages it has.
    const words = ['messages/', 'flow/language.', 'accounts/password-rule.', 'flow/every-page.']
    const out = succeed(
      'env',
      [...SHELL, 'npm', 'test', '--silent', '--', ...words, '--test-reporter=spec'],
      app,
    )
    assert.match(out, /✔ is that of every page, and nothing offers a choice/)
  })
})
