import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listen } from 'sallyport-app/testing'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { mailsOf } from '../../../test/flow/steps.ts'
import { CEREMONIES, Played, REGISTRATION, SECOND_DOOR, STEP_UP, WHOLE_LOGIN } from './ceremonies.ts'
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
    it('is asked for with a challenge of 32 random bytes, another one for each browser [RA-0501]', async (test) => {
      const played = await Played.begin(test, ceremony)

      const options = [optionsOf((await played.asked()).html), optionsOf((await played.asked()).html)]

      assert.equal(new Set(options.map(({ challenge }) => challenge)).size, 2)
      for (const { challenge = '', rpId, rp } of options) {
        assert.equal(Buffer.from(challenge, 'base64url').length, 32)
        assert.equal(rpId ?? rp?.id, 'app.test')
      }
    })

    it('accepts no forged and no malformed response, and the right one afterwards [RA-0501 RA-0502 RA-2901 FLOW-01 FACTOR-42]', async (test) => {
      const played = await Played.begin(test, ceremony)
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
      const { browser, html } = await played.asked()

      assert.equal(await played.accepted(() => played.post(browser, played.respond(html, {}, key))), 1)
      assert.deepEqual(world.faults, [])
    })

    it('of twenty posts of one response one counts, and none in a restored session [RA-2702 RA-2502 RA-0501]', async (test) => {
      const played = await Played.begin(test, ceremony)
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

    it('is late after five minutes [RA-0501 FLOW-40]', async (test) => {
      const played = await Played.begin(test, ceremony)
      const { browser, html } = await played.asked()
      played.owner.world.clock.advance(300)

      assert.equal(await played.accepted(() => played.post(browser, played.respond(html))), 0)
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

  it('after the password asks for no verification of the user, and needs none [RA-0502]', async (test) => {
    const played = await Played.begin(test, SECOND_DOOR)
    const { browser, html } = await played.asked()

    const response = played.respond(html, { verified: false })

    assert.match(html, /&quot;userVerification&quot;:&quot;discouraged&quot;/)
    assert.equal(await played.accepted(() => played.post(browser, response)), 1)
  })

  for (const ceremony of RESPONSES)
    it(`with a counter that goes backwards is logged as a warning at ${ceremony.post}, and told by one mail [RA-0503]`, async (test) => {
      const lines = listen(test)
      const played = await Played.begin(test, ceremony)
      const { world, ada } = played.owner
      const told = (): number => mailsOf(world, /^A passkey of your account may have been copied/)
      const use = async (counter: number): Promise<void> => {
        const { browser, html } = await played.asked()
        const response = played.respond(html, { counter })
        assert.ok((await played.accepted(() => played.post(browser, response))) > 0)
      }
      await use(40)
      const before = told()

      await use(40)

      assert.deepEqual([before, told()], [0, 1])
      assert.equal((await world.events(ada)).filter((kind) => kind === 'passkey-backwards').length, 1)
      assert.ok(lines.some((line) => /"level":"warning".*"passkey-backwards"/.test(line)))
    })

  it('of an authenticator that never counts is no copy [RA-0503]', async (test) => {
    const played = await Played.begin(test, SECOND_DOOR)

    for (let times = 0; times < 2; times += 1) {
      const { browser, html } = await played.asked()
      const response = played.respond(html, { counter: 0 })
      assert.equal((await played.post(browser, response)).location, '/account')
    }

    const { world, ada } = played.owner
    assert.equal((await world.events(ada)).includes('passkey-backwards'), false)
  })
})
