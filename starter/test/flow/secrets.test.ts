import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { databases } from '../databases.ts'
import { type Browser, type Page, PASSWORD, World } from '../support.ts'
import { hear, listen } from 'sallyport-app/testing'
import { enroll, confirm } from './steps.ts'

function tokensIn(world: World): readonly string[] {
  const texts = world.mailbox.list().map(({ text }) => text)
  return texts.flatMap((text) => /\/(?:confirm|not-me|forgot)\/([\w-]{20,})/.exec(text)?.[1] ?? [])
}

describe('the secrets of a whole story', () => {
  it('are in no log, event, error, mail or file [A-129 RA-0008 RA-2401 FACTOR-37 FACTOR-38]', async (test) => {
    const lines = listen(test)
    const published = hear(test)
    const world = await World.create(test)
    const ids: string[] = []
    const errors: string[] = []
    const keep = (browser: Browser): void => void ids.push(browser.sessionId ?? '')
    const look = ({ status, html }: Page): void => void (status >= 400 && errors.push(html))
    const from = { clientAddress: '203.0.113.7', userAgent: 'Firefox/1.0 canary-agent' }

    const first = world.browser(from)
    const { person: eve, codes } = await enroll(world, first, 'eve')
    keep(first)
    const used = [await world.code(eve)]
    await first.submit('/enroll/done')
    keep(first)
    const typed = ['canary-password', '918273']
    const second = world.browser()
    look(await second.password(eve, 'canary-password'))
    await second.password(eve)
    keep(second)
    look(await second.code('918273'))
    await second.send('/login/2fa/recovery', { code: codes[0] ?? '' })
    keep(second)
    world.clock.advance(600)
    await confirm(world, second, { person: eve, path: '/account/password' })
    used.push(await world.code(eve))
    keep(second)
    await second.submit('/account/sessions/others')
    const [, link = '/'] = /app\.test(\/\S+\/[\w-]{43})/.exec(world.mailbox.list()[0]?.text ?? '') ?? []
    await first.send(link)
    await first.open('/account')
    await first.submit('/logout')
    await first.send('/forgot', { email: eve.email })
    world.clock.advance(30)
    for (let times = 0; times < 11; times += 1) {
      await first.password(eve)
      look(await first.code('918273'))
    }
    await databases.breakTable(world.database, 'event')
    look(await first.send('/login', { email: eve.email, password: PASSWORD }))
    errors.push(inspect(world.faults, { depth: 9 }))

    const tokens = tokensIn(world)
    const mails = JSON.stringify(world.mailbox.list())
    const log = [...lines, ...published].join('\n')
    const files = await databases.stored(world.directory)
    const failures = errors.join('\n')
    assert.ok(published.length >= 4 && errors.length >= 7 && world.faults.length === 1)
    assert.ok(tokens.length >= 2 && world.mailbox.list().length >= 4 && log.includes('logged-in'))
    const own = [PASSWORD, 'canary-password', eve.secret?.reveal() ?? '', ...codes, ...ids]
    for (const code of codes) own.push(code.replaceAll('-', ''), code.slice(5).replace('-', ''))
    assert.ok(own.every((secret) => secret.length > 6))
    for (const secret of own)
      for (const [place, text] of Object.entries({ log, failures, mails, files }))
        assert.equal(text.includes(secret), false, `${place}: ${secret}`)
    for (const token of tokens)
      for (const [place, text] of Object.entries({ log, failures, files }))
        assert.equal(text.includes(token), false, place)
    for (const code of [...typed.slice(1), ...used])
      assert.doesNotMatch(`${log}\n${failures}\n${mails}`, new RegExp(`(?<!\\d)${code}(?!\\d)`))
    assert.equal(`${log}${mails}${files}`.includes('canary-agent'), false)
  })
})
