import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { readOptions, withDefaults } from '../../packages/create-sallyport/src/options.ts'
import { ask, type DescribedPart } from '../../packages/create-sallyport/src/questions.ts'

const PARTS: readonly DescribedPart[] = ['activity', 'passkeys', 'sessions', 'unlock'].map((name) => ({
  name,
  line: name,
  summary: `What ${name} adds`,
  needs: [],
}))
const [DOWN, SPACE, ENTER, CANCEL] = ['\u001b[B', ' ', '\r', '\u0003']

/** What is asked, each with the keys that answer it. */
type Dialog = readonly (readonly [question: RegExp, keys: readonly string[]])[]

/** Answers each question once it is shown. */
async function converse(words: readonly string[], dialog: Dialog, refused: readonly string[] = []) {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ''
  output.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const given = readOptions(words) ?? assert.fail('that is help')
  const refusal = (folder: string): string | undefined =>
    refused.includes(folder) ? `${folder} is not empty: name another folder` : undefined
  const answered = ask({ given, parts: PARTS, languages: ['en', 'de'], refusal }, { input, output })
  for (const [question, keys] of dialog) {
    while (!question.test(shown)) await wait(5)
    for (const key of keys) {
      input.write(key)
      await wait(5)
    }
  }
  return { answers: await answered, shown }
}

describe('the questions of create-sallyport', () => {
  it('ask what the words do not say [RA-3321]', async () => {
    const { answers, shown } = await converse(
      [],
      [
        [/In which folder\?/, [...'shop', ENTER]],
        [/Which preset\?/, ['\u001b[A', ENTER]],
        [/Which parts\?/, [DOWN, SPACE, DOWN, DOWN, SPACE, ENTER]],
        [/Which languages beside English\?/, [SPACE, ENTER]],
        [/Which database\?/, [DOWN, ENTER]],
        [/Install the packages\?/, ['n']],
        [/Make a git repository\?/, [ENTER]],
      ],
    )

    assert.match(shown, /passkeys .*What passkeys adds/)
    assert.deepEqual(
      { ...answers, mayAsk: undefined },
      {
        folder: 'shop',
        name: undefined,
        preset: 'standard',
        added: ['unlock'],
        left: ['passkeys'],
        languages: ['en'],
        database: 'postgres',
        framework: undefined,
        installs: false,
        usesGit: true,
        mayAsk: undefined,
      },
    )
  })

  it('take the defaults of the words when each is answered by Enter [RA-3321]', async () => {
    const { answers } = await converse(
      [],
      [
        [/In which folder\?/, [ENTER]],
        [/Which preset\?/, [ENTER]],
        [/Which parts\?/, [ENTER]],
        [/Which languages beside English\?/, [ENTER]],
        [/Which database\?/, [ENTER]],
        [/Install the packages\?/, [ENTER]],
        [/Make a git repository\?/, [ENTER]],
      ],
    )

    const words = readOptions(['my-app', '--yes']) ?? assert.fail('that is help')
    assert.deepEqual(withDefaults(answers ?? assert.fail('canceled')), {
      ...withDefaults(words),
      languages: ['en', 'de'],
    })
  })

  it('leave out what the words say, and the parts of a preset that has none [RA-3321]', async () => {
    const words = ['shop', '--preset', 'minimal', '--no-git']

    const { answers, shown } = await converse(words, [[/Install the packages\?/, [ENTER]]])

    assert.doesNotMatch(shown, /folder|Which|git/)
    assert.deepEqual([answers?.folder, answers?.usesGit, answers?.installs], ['shop', false, true])
  })

  it('refuse a folder that has something in it, and ask again [RA-3321]', async () => {
    const { answers } = await converse(
      ['--preset', 'minimal', '--no-git', '--no-install'],
      [
        [/In which folder\?/, [...'mine', ENTER]],
        [/mine is not empty: name another folder/, [...'2', ENTER]],
      ],
      ['mine'],
    )

    assert.equal(answers?.folder, 'mine2')
  })

  it('end with nothing when one is canceled [RA-3321]', async () => {
    const { answers } = await converse(['shop'], [[/Which preset\?/, [CANCEL]]])

    assert.equal(answers, null)
  })
})
