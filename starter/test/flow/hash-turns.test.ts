import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HASH_LIMIT } from '../../core/limits/limits.ts'
import { PASSWORD } from '../support.ts'
import { newestLink, ownerOf } from './steps.ts'

const STARTER = fileURLToPath(new URL('../../', import.meta.url))

// That nobody else waits for whoever has many hashes made is a test of the framework.
describe('a client that makes the application hash without end', () => {
  it('with the link for a new password is stopped by the link [MEND-06]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test, { factor: 'none' })
    await browser.send('/forgot', { email: ada.email })
    const link = newestLink(world)
    await browser.open(link)
    for (let times = 0; times < HASH_LIMIT.failures; times += 1)
      assert.equal((await browser.submit(link, { password: PASSWORD })).status, 422)

    const locked = await browser.submit(link, { password: `${PASSWORD}, later` })

    assert.equal(locked.status, 429)
    assert.match(locked.html, /This link was used too often/)
    assert.notEqual(locked.headers.get('retry-after'), null)
    world.clock.advance(HASH_LIMIT.windowSeconds)
    assert.equal((await browser.submit(link, { password: `${PASSWORD}, later` })).location, '/login')
  })

  it('is told apart from others by every call that hashes [MEND-06]', () => {
    const calls = globSync('{core,parts}/**/*.ts', { cwd: STARTER }).flatMap((path) => {
      const text = readFileSync(`${STARTER}${path}`, 'utf8')
      return [...text.matchAll(/#hasher\s*\.(?:hash|verify)\(((?:[^()]|\([^()]*\))*)\)/g)].map(
        ([, given = '']) => ({ path, given }),
      )
    })

    assert.ok(calls.length >= 7, String(calls.length))
    for (const { path, given } of calls)
      assert.match(given, /\bhashedFor\(.*\)|, (?:turn|hashed)$/, `${path}: ${given}`)
  })
})
