import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { hear, listen } from 'sallyport-app/testing'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { databases } from '../../../test/databases.ts'
import { mailsOf } from '../../../test/flow/steps.ts'
import { Passkeys } from '../passkeys.ts'
import {
  type Asked,
  CEREMONIES,
  Played,
  REGISTRATION,
  SECOND_DOOR,
  STEP_UP,
  WHOLE_LOGIN,
} from './ceremonies.ts'
import { keyOwner, withPasskey } from './steps.ts'

const RESPONSES = [SECOND_DOOR, WHOLE_LOGIN, STEP_UP]

/** Options of a response that are wrong everywhere. */
const FORGED: readonly ResponseOptions[] = [
  { origin: 'https://app.test.evil.example' },
  { origin: 'https://app.test:8443' },
  { origin: 'http://app.test' },
  { rpId: 'evil.example' },
  { challenge: Buffer.alloc(32).toString('base64url') },
  { present: false },
  { crossOrigin: true },
  { topOrigin: 'https://evil.example' },
  { crossOrigin: true, topOrigin: 'https://app.test' },
]

const MALFORMED = ['', '{}', 'null', '[1]', '{"id":7}', '"', 'x'.repeat(30_000)]

for (const [name, ceremony] of Object.entries(CEREMONIES))
  describe(`a passkey for ${name}`, () => {
    it('accepts no forged, malformed or late response, and the right one afterwards [RA-0501 RA-0502 RA-2901 FLOW-01 FLOW-40 FACTOR-42]', async (test) => {
      const played = new Played(await keyOwner(test), ceremony)
      const { world, key } = played.owner
      const type = ceremony.does === 'passkey-used' ? 'webauthn.create' : 'webauthn.get'
      const forgers = [...FORGED, { type } as const].map(
        (options) => (html: string) => played.respond(html, options),
      )
      const others = [...MALFORMED.map((text) => () => text), ...(await impostors(played))]

      for (const forge of [...forgers, ...others]) {
        const { browser, html } = await played.asked()
        const response = forge(html)
        assert.equal(await played.accepted(() => played.post(browser, response)), 0, response.slice(0, 400))
        if (ceremony !== STEP_UP && ceremony !== REGISTRATION) assert.equal(await browser.isSignedIn(), false)
      }
      const late = await played.asked()
      world.clock.advance(300)
      assert.equal(await played.accepted(() => played.post(late.browser, played.respond(late.html))), 0)
      const { browser, html } = await played.asked()

      // After the password a touch is enough.
      const response = played.respond(html, { verified: ceremony === WHOLE_LOGIN }, key)
      assert.equal(await played.accepted(() => played.post(browser, response)), 1)
      assert.deepEqual(world.faults, [])
    })

    it('of twenty posts of one response one counts, and none in a restored session [RA-2702 RA-2502 RA-0501]', async (test) => {
      const played = new Played(await keyOwner(test), ceremony)
      const { browser, html } = await played.asked()
      // The limit of attempts is not what holds them.
      await played.owner.world.database.updateTable('challenge').set({ attempts: -100 }).execute()
      const response = played.respond(html)
      const session = await browser.session()
      const tabs = Array.from({ length: 20 }, () => browser.twin())

      const count = await played.accepted(() => Promise.all(tabs.map((tab) => played.post(tab, response))))
      const { browser: later } = await played.asked()
      for (const [key, value] of Object.entries(session))
        if (key.startsWith('passkey.')) await later.writeText(key, JSON.stringify(value))
      const replayed = await played.accepted(() => played.post(later, response))

      assert.deepEqual([count, replayed], [1, 0])
      assert.deepEqual(played.owner.world.faults, [])
    })

    it('has a challenge of 32 random bytes, which is in no log, event, mail or error, and not in the database of the accounts [RA-0501 A-129 FACTOR-39]', async (test) => {
      const [lines, published] = [listen(test), hear(test)]
      const played = new Played(await keyOwner(test), ceremony)
      const { world } = played.owner
      const answer = async ({ browser, html }: Asked, options: ResponseOptions = {}): Promise<string> => {
        await played.post(browser, played.respond(html, options))
        return optionsOf(html).challenge ?? ''
      }

      const challenges = [
        await answer(await played.asked(), { origin: 'https://evil.example' }),
        await answer(await played.asked()),
      ]
      const last = await played.asked()
      await databases.breakTable(world.database, 'used_passkey_challenge')
      challenges.push(await answer(last))

      assert.deepEqual([new Set(challenges).size, world.faults.length], [3, 1])
      const mails = JSON.stringify(world.mailbox.list())
      const stored = await databases.stored(world.directory, /^accounts\./)
      const said = [...lines, ...published, mails, inspect(world.faults, { depth: 9 }), stored].join('\n')
      assert.ok(said.includes(ceremony.does))
      for (const challenge of challenges) {
        const bytes = Buffer.from(challenge, 'base64url')
        assert.equal(bytes.length, 32)
        for (const form of [challenge, bytes.toString('hex'), bytes.toString('latin1')])
          assert.equal(said.includes(form), false)
      }
    })
  })

// Others who respond to the challenge of an account, or with a part of what is right.
async function impostors({ owner, ceremony }: Played): Promise<readonly ((html: string) => string)[]> {
  if (ceremony === REGISTRATION) return []
  const { world, key } = owner
  const theirs = await withPasskey(world, await world.person('eve'))
  const impostor = Object.assign(new SoftwareAuthenticator(), { id: key.id, userHandle: key.userHandle })
  const ofEve = (html: string): string => theirs.respond(html)
  return [
    // It signs eve in, as it should.
    ...(ceremony === WHOLE_LOGIN ? [] : [ofEve]),
    (html) => impostor.respond(html),
    (html) => new SoftwareAuthenticator().respond(html, { userHandle: null }),
    (html) => key.respond(html, { userHandle: Buffer.from('somebody').toString('base64url') }),
    (html) => {
      const right = JSON.parse(key.respond(html)) as { readonly response: { readonly signature: string } }
      const signature = right.response.signature.replace(/.{4}$/, 'AAAA')
      return JSON.stringify({ ...right, response: { ...right.response, signature } })
    },
    // What is both factors names its account, and has verified its user.
    ...(ceremony === WHOLE_LOGIN
      ? [
          (html: string) => key.respond(html, { userHandle: null }),
          (html: string) => key.respond(html, { verified: false }),
        ]
      : []),
  ]
}

describe('the response of a passkey', () => {
  it('counts for nothing but what it was asked for, and in no other browser [RA-0501 RA-1402]', async (test) => {
    const owner = await keyOwner(test)
    for (const from of RESPONSES)
      for (const to of RESPONSES) {
        const [source, target] = [new Played(owner, from), new Played(owner, to)]
        const { browser } = await target.asked()
        const { html } = await source.asked()
        const response = source.respond(html)

        const count = await target.accepted(() => target.post(browser, response))

        assert.equal(count, 0, `${from.post} ${to.post}`)
      }
  })

  it('has a counter: one that goes backwards is logged as a warning and told by one mail, not one that never counts [RA-0503 RA-0504]', async (test) => {
    const lines = listen(test)
    const played = new Played(await keyOwner(test), SECOND_DOOR)
    const { world, ada } = played.owner
    const told: number[] = []

    for (const counter of [0, 0, 40, 40]) {
      const { browser, html } = await played.asked()
      const response = played.respond(html, { counter })
      assert.equal((await played.post(browser, response)).location, '/account')
      told.push(mailsOf(world, /^A passkey of your account may have been copied/))
    }

    assert.deepEqual(told, [0, 0, 0, 1])
    assert.equal((await world.events(ada)).filter((kind) => kind === 'passkey-backwards').length, 1)
    assert.ok(lines.some((line) => /"level":"warning".*"passkey-backwards"/.test(line)))
    const [passkey] = await world.app.get(Passkeys).list(ada.id)
    assert.deepEqual([passkey?.usedAt, passkey?.counter], [world.clock.timestamp(), 40])
  })
})
