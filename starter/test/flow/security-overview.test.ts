import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addFactor, enrolled, SECURITY, signedIn } from './steps.ts'

describe('the security overview', () => {
  it('lists factors with name, kind, added and last use, and the recovery codes that are left; it advises to hold two factors whoever does not [RA-1001 RA-1002]', async (test) => {
    const owner = await enrolled(test)
    const { world, browser, person } = owner
    await browser.send('/enroll/done')
    world.clock.advance(3600)
    await browser.signIn(person)

    const { html } = await browser.open(SECURITY)

    const item = /<strong>Authenticator app<\/strong>[\s\S]*?<\/li>/.exec(html)?.[0] ?? ''
    assert.equal(item.match(/>Authenticator app</g)?.length, 1, 'a name that is only the kind is there once')
    assert.match(item, /Added:\s*<time datetime="2026-01-01T00:00:00Z"/)
    assert.match(item, /Last used:\s*<time datetime="2026-01-01T01:00:00Z"/)
    for (const what of ['rename', 'replace', 'remove'])
      assert.match(item, new RegExp(`/factors/[^"]+/${what}"`))
    for (const shown of [/10 codes left/, /href="\/account\/password"/, /href="\/account\/recovery-codes"/])
      assert.match(html, shown)
    assert.match(html, /Add a backup/)
    world.clock.advance(30)
    await addFactor(owner, 'Second')
    const two = (await browser.open(SECURITY)).html
    assert.doesNotMatch(two, /Add a backup|no second step/)
    assert.match(two, /<strong>Second<\/strong>\s*<span class="tag">Authenticator app</)
    const none = await signedIn(test, {})
    assert.match((await none.browser.open(SECURITY)).html, /Your account has no second step/)
  })
})
