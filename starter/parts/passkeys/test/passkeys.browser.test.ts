import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { freePort } from 'sallyport-app/testing'
import { missingBrowser } from '../../../test/browser/chromium.ts'
import { World } from '../../../test/browser/world.ts'
import { Authenticator, layAccounts, StarterProcess } from '../../../test/crash/starter-process.ts'
import { VirtualKey } from 'sallyport-app/testing/authenticators'

const skip = missingBrowser ?? false

describe('passkeys in a browser', { skip }, () => {
  const world = new World()

  it('npm start prints an address where passkeys work, and the one without a name links to it [RA-1201 RA-2902]', async (test) => {
    const directory = mkdtempSync(join(tmpdir(), 'sallyport-passkeys-'))
    test.after(() => rmSync(directory, { recursive: true, force: true }))
    // One each: a code is accepted once, and the next one would have to be waited for.
    const people = await layAccounts(directory, [
      { name: 'Ada', email: 'ada@sallyport.test' },
      { name: 'Ben', email: 'ben@sallyport.test' },
    ])
    const port = await freePort()
    const starter = await StarterProcess.start({ directory, port })
    const open = world.windows(test, starter)
    const printed = /^ {2}.+: (http\S+)/m.exec(starter.output)?.[1] ?? ''

    const visits = []
    for (const [index, person] of people.entries()) {
      const url = index === 0 ? `http://127.0.0.1:${port}` : printed
      const visit = await open({ url })
      await VirtualKey.plugIn(visit)
      await visit.open('/login')
      await visit.enterPassword(person)
      await visit.enterCode(await new Authenticator(person).next())
      await visit.open('/account/passkeys/new')
      visits.push(visit)
    }
    const [unnamed, named] = visits
    assert.ok(unnamed !== undefined && named !== undefined)

    const page = unnamed.page.getByRole('main')
    assert.equal(printed, `http://localhost:${port}`)
    assert.match(await page.innerText(), /No passkey can be added at this address/)
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
    const link = page.getByRole('link', { name: `${printed}/account/passkeys/new` })
    assert.equal(await link.getAttribute('href'), `${printed}/account/passkeys/new`)
    await named.page.getByLabel('Name').fill('Blue key')
    assert.match((await named.click('button', 'Add a passkey')).notice, /The passkey was added/)
  })
})
