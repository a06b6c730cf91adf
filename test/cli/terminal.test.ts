import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { faultOf } from '../../src/cli/fault.ts'
import { tellingPlace } from '../../src/core/internal.ts'
import { sallyport } from './fixture/run.ts'

const MAX_LINE = 2100

/** Whether a text is one that a terminal shows as it is, in lines that somebody reads. */
function isPlain(text: string): boolean {
  return (
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text.replaceAll('\n', '')) &&
    text.split('\n').every((line) => line.length <= MAX_LINE)
  )
}

describe('the command line’s output about an application', () => {
  for (const [args, status, lines] of [
    [
      ['check'],
      0,
      /^note {2}resolver-failed resolver Failing\\u001b\[1m\\u202e\\u009b .*: bad\\nfault\\r\\u001b\[2J/m,
    ],
    [['routes'], 0, /PageController\\u001b\[1m\\u202e\\u009b::index/],
    [['routes', '--types', '--out', '-'], 0, /'b\\u202e\\udb40\\udc41': /],
    [['explain', 'GET', '/b'], 0, /= PageController\\u001b/],
  ] as const) {
    it(`is plain for ${args.join(' ')}, whatever it is named and throws`, async () => {
      const { code, out, error } = await sallyport([...args, '--app', 'hostile.ts'])

      assert.equal(code, status)
      assert.match(out, lines)
      assert.ok(isPlain(out), JSON.stringify(out.slice(0, 3000)))
      assert.match(error, /^sallyport: Cannot close everything .*bad\\nfault\\r\\u001b.*\n$/)
      assert.ok(isPlain(error), JSON.stringify(error.slice(0, 3000)))
    })
  }

  for (const args of [['routes'], ['check'], ['explain', 'GET', '/b']]) {
    it(`is plain for programs, too: ${args.join(' ')} --json`, async () => {
      const { out } = await sallyport([...args, '--json', '--app', 'hostile.ts'])

      assert.match(out, /\\u202e/)
      assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      assert.ok(JSON.stringify(JSON.parse(out)).includes('\u202e') || args[0] === 'check')
    })
  }

  for (const [command, status, said] of [
    [['check'], 1, /^fault does-not-boot bad \(.*hostile\.ts:\d+\)\n.*1 fault\n$/],
    [['routes'], 1, /^sallyport: bad \(.*hostile\.ts:\d+\)\n$/],
  ] as const) {
    it(`is one line when the application does not boot: ${command.join(' ')}`, async () => {
      const { code, out, error } = await sallyport([...command, '--app', 'throwing.ts'])

      assert.equal(code, status)
      assert.match(out + error, said)
    })
  }
})

describe('faultOf()', () => {
  const at = String.raw`\(/\S+terminal\.test\.ts:\d+\)`
  for (const [what, thrown, said] of [
    ['an error', new Error('no database'), `no database ${at}`],
    ['an error of a class', new RangeError('too far'), `RangeError: too far ${at}`],
    ['its first line', new Error('one\ntwo'), `one ${at}`],
    ['a message with a place', tellingPlace(new TypeError('wrong (a.ts:5)')), String.raw`wrong \(a\.ts:5\)`],
    [
      'a message that only looks so',
      new TypeError('wrong (a.ts:5)'),
      String.raw`TypeError: wrong \(a\.ts:5\) ${at}`,
    ],
    [
      'the error behind it',
      new Error('cannot start', { cause: new RangeError('no disk') }),
      `cannot start ${at}: RangeError: no disk ${at}`,
    ],
    [
      'the errors behind that',
      new Error('a1', { cause: new Error('b2', { cause: new Error('c3', { cause: new Error('d4') }) }) }),
      `a1 ${at}: b2 ${at}: c3 ${at}: d4 ${at}`,
    ],
    [
      'the error behind it once, when it is quoted',
      new Error('cannot start: no disk', { cause: new Error('no disk') }),
      `cannot start: no disk ${at}`,
    ],
    ['nothing of a cause that is no error', new Error('x', { cause: 'y' }), `x ${at}`],
    [
      'the parts of an error without a message',
      new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1'), 5]),
      `refused by ::1; refused by 127\\.0\\.0\\.1; 5 ${at}`,
    ],
    ['a value that is not an error', 'a\nb', String.raw`it threw "a\\nb"`],
    ['nothing', undefined, 'it threw undefined'],
    [
      'an invalid message',
      Object.defineProperty(new Error('x'), 'message', { value: 5 }),
      'it threw an instance of Error',
    ],
    [
      'an invalid stack',
      Object.defineProperty(new Error('x'), 'stack', { value: 5 }),
      'it threw an instance of Error',
    ],
    [
      'what cannot be looked at',
      Object.defineProperty(new Error('x'), 'message', {
        get() {
          throw new Error('no')
        },
      }),
      'it threw an instance of Error',
    ],
  ] as const) {
    it(`says ${what}`, () => {
      assert.match(faultOf(thrown), new RegExp(`^${said}$`))
    })
  }

  it('prints a circular chain of causes once', () => {
    const [one, other] = [new Error('first'), new Error('second')]
    one.cause = other
    other.cause = one

    assert.match(faultOf(one), new RegExp(`^first ${at}: second ${at}$`))
  })

  it('names a module that cannot be read', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-unreadable-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const [name, text, said] of [
      ['unreadable.ts', 'export const one = 1\nenum Two { A }\n', /enum.* \(unreadable\.ts:2\)/],
      [
        'unreadable.mjs',
        'export const one = = 1\n',
        /Cannot load \S+unreadable\.mjs, or what it imports: Unexpected/,
      ],
      ['unlinked.mjs', "import { nothing } from 'node:fs'\n", /nothing.* \(unlinked\.mjs:1\)/],
    ] as const) {
      writeFileSync(join(folder, name), text)

      const { code, out, error } = await sallyport(['routes', '--app', name], { cwd: folder })

      assert.deepEqual([code, out], [1, ''])
      assert.match(error, new RegExp(`^sallyport: SyntaxError: .*${said.source}.*\n$`))
    }
  })
})
