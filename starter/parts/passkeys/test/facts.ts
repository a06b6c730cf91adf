import { PENDING_LOGIN_KEY } from '../../../core/challenges/pending-login.ts'
import type { Door, PartFacts } from '../../../test/facts-of-parts.ts'
import { MAX_PASSKEYS } from '../passkeys.ts'
import { DEEDS } from './deeds.ts'
import { SCENES } from './scenes.ts'
import { PASSKEY_DOOR } from './steps.ts'
import { storePasskey } from './stored-passkey.ts'

const door: Door = {
  kind: 'passkey',
  page: PASSKEY_DOOR,
  // Younger than what the account has.
  hold: (world, accountId) =>
    storePasskey(world.database, { accountId, label: 'Blue key', now: world.clock.timestamp() + 1 }),
  async prove(browser, world) {
    const { identifier } = Object((await browser.session())[PENDING_LOGIN_KEY]) as { identifier: string }
    const now = world.clock.timestamp()
    const key = await storePasskey(world.database, { accountId: identifier, label: 'Key', now })
    return { response: key.respond((await browser.open(PASSKEY_DOOR)).html) }
  },
  wrong: { response: '{}' },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  ledger: { passkeys: 'SELECT counter FROM passkey ORDER BY counter' },
  noPages: { '/passkey-scripts/{path}': 'files', '/.well-known/passkey-endpoints': 'JSON' },
  scenes: SCENES,
  deeds: DEEDS,
  doors: { 'a passkey': door },
  waysIn: {
    'passkey or security key': {
      route: 'POST /passkey/second-step',
      proves:
        'the password within the last 300 seconds, in this session, and possession of a passkey of this account, by a response that was asked for in this pending login and is used up',
      skips: 'nothing',
    },
    'passkey as the whole login': {
      route: 'POST /passkey',
      proves:
        'possession of a passkey that names its account, and the PIN, fingerprint or face that its device checked, by a response that was asked for in this session and is used up',
      skips:
        'the password, because possession and verification of the user are two factors; without that verification nobody is signed in',
    },
  },
  beside: {
    'GET /passkey/second-step': 'shows the form',
  },
  fields: {
    'email username webauthn': { type: 'email', autocomplete: 'username webauthn', inputmode: 'email' },
  },
  alike: { Passkey: 'is called so in both languages' },
  lists: { passkey: { most: MAX_PASSKEYS } },
  kept: {
    passkey: 'counts until it is removed',
    used_passkey_challenge: 'deleted with the next passkey, whoever shows it',
  },
  notices: { 'passkey-backwards': { label: 'Blue key' } },
}
