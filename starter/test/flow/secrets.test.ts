import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { configureSync, resetSync } from '@logtape/logtape'
import { type Browser, PASSWORD, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { confirm } from './step-up-steps.ts'

/** Everything that the application logs, as text. */
function listen(test: TestContext): readonly string[] {
  const lines: string[] = []
  const asText = (_: string, value: unknown): unknown =>
    value instanceof Error ? { message: value.message, stack: value.stack } : value
  configureSync({
    sinks: { memory: (record) => void lines.push(JSON.stringify(record, asText)) },
    loggers: [
      { category: [], lowestLevel: 'trace', sinks: ['memory'] },
      { category: ['logtape', 'meta'], sinks: [] },
    ],
  })
  test.after(() => resetSync())
  return lines
}

/** The bytes of both databases and of their logs. */
function filesOf(world: World): string {
  const folder = dirname(world.accountsPath)
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join('\n')
}

function tokensIn(world: World): readonly string[] {
  const texts = world.mailbox.list().map(({ text }) => text)
  return texts.flatMap((text) => /\/(?:confirm|not-me|forgot)\/([\w-]{20,})/.exec(text)?.[1] ?? [])
}

describe('the secrets of a whole story', () => {
  it('RA-0008, RA-2401, FACTOR-37, FACTOR-38: are in no log, no mail and no file', async (test) => {
    const lines = listen(test)
    const world = await World.create(test)
    const ids: string[] = []
    const keep = (browser: Browser): void => void ids.push(browser.sessionId ?? '')
    const from = { clientAddress: '203.0.113.7', userAgent: 'Firefox/1.0 canary-agent' }

    const first = world.browser(from)
    const { person: eve, codes } = await enroll(world, first, 'eve')
    keep(first)
    const used = [await world.code(eve)]
    await first.submit('/enroll/done')
    keep(first)
    const typed = ['canary-password', '918273']
    const second = world.browser()
    await second.password(eve, 'canary-password')
    await second.password(eve)
    keep(second)
    await second.code('918273')
    await second.open('/login/2fa/recovery')
    await second.submit('/login/2fa/recovery', { code: codes[0] ?? '' })
    keep(second)
    world.clock.advance(600)
    await confirm(world, second, { person: eve, path: '/account/sessions/all' })
    used.push(await world.code(eve))
    keep(second)
    await second.submit('/account/sessions/others')
    const [link = ''] = tokensIn(world)
    await first.open(`/not-me/${link}`)
    await first.submit(`/not-me/${link}`)
    await first.open('/forgot')
    await first.submit('/forgot', { email: eve.email })
    world.clock.advance(30)
    for (let times = 0; times < 11; times += 1) {
      await first.password(eve)
      await first.code('918273')
    }

    const tokens = tokensIn(world)
    const mails = JSON.stringify(world.mailbox.list())
    const log = lines.join('\n')
    const files = filesOf(world)
    assert.ok(tokens.length >= 4 && world.mailbox.list().length >= 4 && log.includes('logged-in'))
    const own = [PASSWORD, 'canary-password', eve.secret?.reveal() ?? '', ...codes, ...ids]
    for (const code of codes) own.push(code.replaceAll('-', ''), code.slice(5).replace('-', ''))
    assert.ok(own.every((secret) => secret.length > 6))
    for (const secret of own)
      for (const [place, text] of Object.entries({ log, mails, files }))
        assert.equal(text.includes(secret), false, `${place}: ${secret}`)
    for (const token of tokens)
      for (const [place, text] of Object.entries({ log, files }))
        assert.equal(text.includes(token), false, place)
    for (const code of [...typed.slice(1), ...used])
      assert.doesNotMatch(`${log}\n${mails}`, new RegExp(`(?<!\\d)${code}(?!\\d)`))
    assert.equal(`${log}${mails}${files}`.includes('canary-agent'), false)
  })
})
