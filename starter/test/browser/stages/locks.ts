/** A code by mail. @module */
import { MAIL_CODE_LIMIT, mailCodeSubject } from '../../../parts/mail-codes/limits.ts'
import type { Scene } from '../stage.ts'

const mailCode: Scene = {
  name: 'a code by mail',
  shows: ['/mail-code', '/login/2fa', '/lost'],
  options: { mailCodes: true },
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await stage.enterPassword(visit, ada)
    await stage.look(visit, 'challenge-with-mail')
    await stage.show(visit, '/lost', 'lost-with-mail')
    await visit.open('/mail-code')
    await stage.look(visit, 'mail-code')
    await visit.click('button', 'Send a code')
    await stage.look(visit, 'mail-code-sent')
    await visit.enterCode('00000000')
    await stage.look(visit, 'mail-code-refused')
    for (let sent = 0; sent < 5; sent += 1) await visit.click('button', 'Send another code')
    await stage.look(visit, 'mail-code-429')
    const { id } = ada
    const { database, clock } = stage.world
    const row = { subject: mailCodeSubject(id), at: clock.timestamp(), judged: 1 }
    for (let failed = 0; failed < MAIL_CODE_LIMIT.failures; failed += 1)
      await database.insertInto('attempt').values(row).execute()
    await stage.show(visit, '/mail-code', 'mail-code-locked')
  },
}

/** Scenes of locks. */
export const LOCKS: readonly Scene[] = [mailCode]
