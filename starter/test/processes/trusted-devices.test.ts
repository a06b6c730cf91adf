import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD } from '../support.ts'
import { DOOR, isIn, pendingOf, Site } from './site.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const [BROWSERS, ROUNDS] = NIGHTLY ? [200, 200] : [50, 10]

describe('the token of a trusted browser among processes', () => {
  it(`one token makes one login among ${BROWSERS} posts to 4 processes, ${ROUNDS} times [RA-1801 R-02]`, async (test) => {
    const site = await Site.open(test)
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = site.happened('logged-in')
      const browsers = await site.trusted(BROWSERS)
      const { email } = browsers[0]?.person ?? { email: '' }

      const answers = await Promise.all(
        browsers.map((browser) => browser.post('/login', { email, password: PASSWORD })),
      )

      assert.deepEqual(
        answers.map(({ location }) => location).toSorted(),
        ['/account', ...Array.from({ length: BROWSERS - 1 }, () => DOOR)],
        JSON.stringify(answers.map(({ status }) => status)),
      )
      assert.equal(site.happened('logged-in'), before + 1)
      assert.equal((await pendingOf(browsers)).length, BROWSERS - 1)
      // The next token is the one of the winner, and of nobody else.
      const winner = browsers[answers.findIndex(isIn)]
      assert.ok(winner !== undefined)
      const name = winner.cookieName('device')
      const cookies = new Map([[name, winner.cookies.get(name) ?? '']])
      const again = winner.withCookies(cookies)
      await again.get('/login')
      assert.ok(isIn(await again.post('/login', { email, password: PASSWORD })))
    }
    // Within a minute they may be tabs of one browser, and no thief.
    assert.equal(site.happened('device-replayed'), 0)
    assert.equal(site.count('trusted_device'), 1)
  })
})
