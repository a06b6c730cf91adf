import type { Command } from '../../core/commands/command.ts'
import { Erasure } from './erasure.ts'

/** Erases accounts whose waiting time is over. */
export const erase: Command = {
  usage: 'erase',
  summary: 'erases accounts whose owners asked for it 14 days ago or earlier; the server does so every hour',
  words: [0, 0],
  run: async ({ app }) => {
    const count = await app.get(Erasure).run()
    return `${count} ${count === 1 ? 'account' : 'accounts'} erased, as their owners asked.`
  },
}
