import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addFactor, SECURITY, signedIn, enrolled } from './steps.ts'

describe('the security overview', () => {
  it('lists factors with name, kind, added and last use, and the recovery codes that are left [RA-1001]', async (test) => {
    const { world, browser, person } = await enrolled(test)
    await browser.open('/enroll')
    await browser.submit('/enroll/done')
    world.clock.advance(3600)
    await browser.signIn(person)
    const { html } = await browser.open(SECURITY)

    const item = /<strong>Authenticator app<\/strong>[\s\S]*?<\/li>/.exec(html)?.[0] ?? ''
    assert.equal(item.match(/>Authenticator app</g)?.length, 1, 'a name that is only the kind is there once')
    assert.match(item, /Added:\s*<time datetime="2026-01-01T00:00:00Z"/)
    assert.match(item, /Last used:\s*<time datetime="2026-01-01T01:00:00Z"/)
    assert.match(html, /10 codes left/)
    for (const what of ['rename', 'replace', 'remove'])
      assert.match(item, new RegExp(`/factors/[^"]+/${what}"`))
    assert.match(html, /href="\/account\/password"/)
    assert.match(html, /href="\/account\/recovery-codes"/)
  })

  it('advises to hold two factors, and says so no more to whoever does [RA-1002]', async (test) => {
    const owner = await signedIn(test)
    const one = await owner.browser.open(SECURITY)
    await addFactor(owner, 'Second')

    const two = await owner.browser.open(SECURITY)

    assert.match(one.html, /Add a backup/)
    assert.doesNotMatch(two.html, /Add a backup|no second step/)
    assert.match(two.html, /<strong>Second<\/strong>\s*<span class="tag">Authenticator app</)
    assert.match(
      (await (await signedIn(test, {})).browser.open(SECURITY)).html,
      /Your account has no second step/,
    )
  })
})
