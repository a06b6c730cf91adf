import type { Scene } from '../../../test/browser/stage.ts'
import { signedInOwner, type Deed, named } from '../../../test/crash/deed.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import type { World } from '../../../test/support.ts'
import { MAX_TOKENS } from '../api-tokens.ts'
import { makeToken } from './program.ts'

const LIST = '/account/security/tokens'
const NEW = `${LIST}/new`
const FORM = { label: 'ci', days: '30', 'scopes[]': 'activity.read' }

const everyState: Scene = {
  name: 'API tokens in every state',
  shows: [LIST, NEW, '/account/confirm', '/account/security'],
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled', permissions: ['admin.access'] })
    // As long as names may be, and without a place to break.
    await makeToken(world, ada, { name: 'x'.repeat(60), scopes: ['activity.read'] })
    await world.database.updateTable('account').set({ credential_version: 7 }).execute()
    await makeToken(world, ada, { name: 'Old script', days: 7, credentialVersion: 7 })
    world.clock.advance(8 * 24 * 60 * 60)
    await makeToken(world, ada, { name: 'Build server', credentialVersion: 7 })
    const visit = await stage.open()
    await stage.signIn(visit, ada)
    await stage.show(visit, '/account/security', 'tokens-stopped')
    await stage.show(visit, LIST, 'tokens-every-state')
    await stage.press(visit, 'Keep this token', 'token-kept')
    await stage.show(visit, NEW, 'token-new')
    world.clock.advance(301)
    await stage.show(visit, NEW, 'token-step-up')
  },
}

/** The identifier that the form of a page carries: it makes one token. */
function formIn(html: string): string {
  return /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

async function idsOf(world: World): Promise<readonly string[]> {
  return (await world.database.selectFrom('api_token').select('id').execute()).map(({ id }) => id)
}

const creation: Deed = {
  name: 'the creation of a token',
  async prepare(world) {
    const { browser, person } = await signedInOwner(world)
    const { html } = await browser.open(NEW)
    return { browser, facts: { ...named(person), form: formIn(html) } }
  },
  act: (browser, { form = '' }) => browser.submit(NEW, { ...FORM, form }),
}

const revocation: Deed = {
  name: 'the revocation of a token',
  isSilent: true,
  async prepare(world) {
    const { browser, person } = await signedInOwner(world)
    const token = await makeToken(world, person)
    const [id] = await idsOf(world)
    await browser.open(LIST)
    return { browser, facts: { ...named(person), token, path: `${LIST}/${id}/revoke` } }
  },
  act: (browser, { path = '' }) => browser.submit(path),
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  ledger: { tokens: 'SELECT name, scope, credential_version, expires_at FROM api_token ORDER BY name' },
  scenes: [everyState],
  deeds: [creation, revocation],
  programs: { '/api': 'a token, and JSON' },
  identities: {
    'parts/api/resolve-token.ts':
      'A program that calls `/api` is an account by `ResolveToken`, for one request at a time: by a token of an account that may still sign in and whose credentials have not changed since. It gets no session and no cookie, and a token opens no page.',
  },
  noPages: {
    '/api/me': 'JSON',
    '/api/activity': 'JSON',
    [`${LIST}/{id}/confirm`]: 'leads to the list',
  },
  guarded: { [NEW]: FORM },
  free: { [`${LIST}/seven/revoke`]: 'takes access away, from a program that is not trusted any more' },
  fields: {
    days: { type: '', autocomplete: '', inputmode: '' },
    'scopes[]': { type: 'checkbox', autocomplete: '', inputmode: '' },
  },
  notices: { 'token-created': { name: 'ci' } },
  lists: { api_token: { most: MAX_TOKENS } },
  kept: { api_token: 'its owner sees that it has expired, and revokes it' },
}
