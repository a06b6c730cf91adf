import { OPS_NAME, OpsCredentials } from './ops-credentials.ts'
import type { Command } from '../../core/commands/command.ts'

/** Makes the password for operators. */
export const opsPassword: Command = {
  usage: 'ops-password',
  summary: 'makes a password for the pages of operators at /ops, and prints what to set OPS_HASH to',
  words: [0, 0],
  async run() {
    const { password, hash } = OpsCredentials.create()
    return [
      'Set this, and start again:',
      `  OPS_HASH=${hash}`,
      'Then /ops asks for this name and password, over HTTPS. They are shown once:',
      `  ${OPS_NAME}`,
      `  ${password.reveal()}`,
    ].join('\n')
  },
}
