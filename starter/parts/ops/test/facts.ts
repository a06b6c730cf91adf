import { MailQueue } from 'sallyport-app/mail'
import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import type { World } from '../../../test/support.ts'
import { OPS_NAME, OpsCredentials } from '../ops-credentials.ts'

const OPS = OpsCredentials.create()

/** Has a mail that could not be sent. */
export async function giveMailUp(world: World): Promise<void> {
  const queue = world.app.get(MailQueue)
  const written = { kind: 'confirm', mail: { to: 'a@b.test', subject: 'x', text: 'x' } }
  await world.database.transaction().execute((transaction) => queue.add(transaction, written))
  const mail = await queue.take()
  if (mail === undefined) throw new Error('There is no mail to give up')
  await queue.giveUp(mail, '550')
}

const operators: Scene = {
  name: 'the page of operators',
  shows: ['/ops'],
  options: { operations: { hash: OPS.hash, allowsLoopback: true } },
  async play(stage) {
    const httpCredentials = { username: OPS_NAME, password: OPS.password.reveal() }
    const visit = await stage.open({ httpCredentials })
    await stage.show(visit, '/ops', 'ops')
    await giveMailUp(stage.world)
    await stage.show(visit, '/ops', 'ops-mail-given-up')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [operators],
}
