import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { OPS_NAME, OpsCredentials } from '../ops-credentials.ts'

const OPS = OpsCredentials.create()

const operators: Scene = {
  name: 'the page of operators',
  shows: ['/ops'],
  options: { operations: { hash: OPS.hash, allowsLoopback: true } },
  async play(stage) {
    const httpCredentials = { username: OPS_NAME, password: OPS.password.reveal() }
    const visit = await stage.open({ httpCredentials })
    await stage.show(visit, '/ops', 'ops')
    await visit.page.getByLabel('Delete entries').fill('89')
    await visit.click('button', 'Delete old entries')
    await stage.look(visit, 'ops-refused')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [operators],
  fields: { age: { type: 'text', autocomplete: 'off', inputmode: 'numeric' } },
}
