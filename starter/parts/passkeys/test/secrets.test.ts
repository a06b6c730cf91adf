import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { hear, listen } from 'sallyport-app/testing'
import { optionsOf } from 'sallyport-app/testing/authenticators'
import { databases } from '../../../test/databases.ts'
import { CEREMONIES, Played, WHOLE_LOGIN } from './ceremonies.ts'
import { keyOwner } from './steps.ts'

describe('the challenges of passkeys', () => {
  it('are in no log, event, mail or error, and not in the database of the accounts [A-129 FACTOR-39]', async (test) => {
    const lines = listen(test)
    const published = hear(test)
    const owner = await keyOwner(test)
    const { world } = owner
    const challenges = new Set<string>()
    const errors: string[] = []
    const answer = async (played: Played, options = {}): Promise<void> => {
      const { browser, html } = await played.asked()
      challenges.add(optionsOf(html).challenge ?? '')
      const page = await played.post(browser, played.respond(html, options))
      if (page.status >= 400) errors.push(page.html.replace(/data-options="[^"]*"/, ''))
    }

    for (const ceremony of Object.values(CEREMONIES))
      for (const options of [{ origin: 'https://evil.example' }, {}])
        await answer(new Played(owner, ceremony), options)
    await databases.breakTable(world.database, 'used_passkey_challenge')
    await answer(new Played(owner, WHOLE_LOGIN))

    const said = {
      log: lines.join('\n'),
      events: published.join('\n'),
      mails: JSON.stringify(world.mailbox.list()),
      errors: [...errors, inspect(world.faults, { depth: 9 })].join('\n'),
      stored: await databases.stored(world.directory, /^accounts\./),
    }
    assert.ok(said.log.includes('passkey-used') && said.log.includes('passkey-refused'))
    assert.ok(published.length >= 4 && errors.length >= 2 && world.faults.length === 1)
    assert.equal(challenges.size, 9)
    for (const [place, text] of Object.entries(said))
      for (const challenge of challenges) {
        assert.ok(challenge.length >= 43)
        const bytes = Buffer.from(challenge, 'base64url')
        for (const form of [challenge, bytes.toString('hex'), bytes.toString('latin1')])
          assert.equal(text.includes(form), false, place)
      }
  })
})
