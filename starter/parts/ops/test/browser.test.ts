import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OPS_NAME, OpsCredentials } from '../ops-credentials.ts'
import { StarterProcess } from '../../../test/crash/starter-process.ts'
import { temporary } from '../../../test/support.ts'
import { missingBrowser } from '../../../test/browser/chromium.ts'
import { assertGoodPage } from '../../../test/browser/page-checks.ts'
import { World } from '../../../test/browser/world.ts'

const skip = missingBrowser ?? false

describe('the page of operators', { skip }, () => {
  const world = new World()

  it('is reached with the credentials of the browser, and deletes old entries by its form [RA-3103 BASIC-16]', async (test) => {
    const { password, hash } = OpsCredentials.create()
    const starter = await StarterProcess.start({ directory: temporary(test), variables: { OPS_HASH: hash } })
    const httpCredentials = { username: OPS_NAME, password: password.reveal() }
    const visit = await world.windows(test, starter)({ httpCredentials })

    assert.equal((await visit.open('/ops')).heading, 'Operations')
    await assertGoodPage(visit.page, 'ops')
    await visit.page.getByLabel('Delete entries').fill('89')
    assert.equal((await visit.click('button', 'Delete old entries')).status, 422)
    await assertGoodPage(visit.page, 'ops refused')
    await visit.page.getByLabel('Delete entries').fill('400')
    assert.match((await visit.click('button', 'Delete old entries')).notice, /Old entries were deleted/)
  })
})
