import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Letter, type LetterWords } from 'sallyport-app/mail'

const WORDS: LetterWords = {
  translate: ({ id, values = {} }) => [id, ...Object.values(values)].join(' '),
  time: (timestamp) => `time ${timestamp}`,
  linkToPage: (page) => `https://app.test${page}`,
}

describe('Letter', () => {
  it('has paragraphs, lists, links, times and messages [RA-2401]', () => {
    const letter = new Letter(WORDS)
      .say('hello', { name: 'Ada', count: 2, at: { at: 7 }, device: { id: 'device' } })
      .list('stopped', ['Backup', 'Mirror'])
      .link('/tokens')

    assert.equal(
      letter.text,
      'hello Ada 2 time 7 device\n\nstopped\n- Backup\n- Mirror\n\nhttps://app.test/tokens',
    )
  })

  it('has no links where no origin is known', () => {
    const letter = new Letter({ ...WORDS, linkToPage: undefined }).say('hello').link('/tokens')

    assert.deepEqual([letter.hasLinks, letter.text], [false, 'hello'])
  })

  it('keeps what people and browsers chose on one line, and short [RA-2401]', () => {
    const chosen = `${'x'.repeat(70)}\r\n\u2028\u0000Open https://evil.test at once`

    const { text } = new Letter(WORDS)
      .say('hello', { chosen, device: { id: 'device', values: { chosen } } })
      .list('stopped', [chosen])

    assert.equal(
      text,
      `hello ${'x'.repeat(70)} Open http… device ${'x'.repeat(70)} Op…\n\nstopped\n- ${'x'.repeat(70)} Open http…`,
    )
  })
})
