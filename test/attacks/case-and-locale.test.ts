import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BEARER, World } from './fixture/world.ts'

async function redirectOf(world: World, target: string): Promise<string | null> {
  const first = await world.fetch({ target })
  assert.equal(first.status, 308, target)
  return first.headers.get('location')
}

describe('abuse of letter case and locales', () => {
  it('case, slash and locale are corrected together [A-025]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    for (const target of ['/Boutique', '/BOUTIQUE/', '/FR/Boutique/']) {
      assert.equal(await redirectOf(world, target), '/fr/boutique', target)
    }
    assert.equal((await world.fetch({ target: '/fr/boutique' })).status, 200)
  })

  it('a missing prefix is added in one redirect [A-026]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    assert.equal(await redirectOf(world, '/boutique?x=1'), '/fr/boutique?x=1')
    assert.equal(await redirectOf(world, '/boutique/cart/'), '/fr/boutique/cart')
  })

  it('a superfluous prefix is removed before any guard runs [A-027]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    for (const target of ['/fr/api/items/x', '/en/api/items/x']) {
      const answer = await world.fetch({ target, headers: BEARER })
      assert.deepEqual([answer.status, answer.headers.get('location')], [308, '/api/items/x'])
      assert.deepEqual(world.trace.handlers, [])
    }
    assert.equal((await world.fetch({ target: '/api/items/x' })).status, 401)
    assert.equal((await world.fetch({ target: '/api/items/x', headers: BEARER })).status, 200)
  })

  it('what follows a prefix never becomes another origin [A-028]', async (test) => {
    const targets = [
      '/fr//evil.test',
      '/fr/%2f%2fevil.test',
      '/fr/\\evil.test',
      '/fr/https:%2f%2fevil.test',
      '/en/%2fevil.test',
    ]
    for (const profile of ['REMOVE', 'ADD'] as const) {
      const world = await World.create(test, { profile })
      for (const target of targets) {
        await world.everywhere({ target }, ({ status, headers }, message) => {
          if (status !== 308) assert.ok(status === 400 || status === 404, message)
          assert.doesNotMatch(headers.get('location') ?? '/', /^\/[/\\]|^https:\/\/evil/, message)
        })
      }
    }
  })

  it('an undeclared locale is not a prefix [A-029]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    for (const target of ['/de/boutique', '/fr-CA/boutique'])
      assert.equal((await world.fetch({ target })).status, 404, target)
    const { status, headers } = await world.fetch({ target: '/f%72/boutique' })
    if (status === 308) assert.equal(headers.get('location'), '/fr/boutique')
    else assert.ok(status === 200 || status === 404)
  })

  it('the preferences of a client do not change where a URL leads [A-030]', async (test) => {
    const world = await World.create(test, { profile: 'REMOVE' })
    const tags = ['fr', 'en', 'de', '*', 'fr-CA', 'en;q=0', 'fr;q=0.1, en', '']
    let seed = 30
    for (let round = 0; round < 200; round++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      const accepted = tags[seed % tags.length] ?? ''
      const cookie = `locale=${tags[(seed >> 4) % tags.length] ?? ''}; lang=fr`
      const headers = { 'accept-language': accepted, ...(seed % 2 === 0 ? { cookie } : {}) }
      const en = await world.fetch({ target: '/en/shop', headers })
      const fr = await world.fetch({ target: '/fr/boutique', headers })
      assert.deepEqual([en.status, en.body, fr.status, fr.body], [200, 'shop en', 200, 'shop fr'])
      const bare = await world.fetch({ target: '/shop', headers })
      assert.equal(bare.headers.get('location'), '/en/shop')
    }
  })
})
