import { MailSender } from '../mail/index.ts'
import type { Opened } from './open-program.ts'

/**
 * Does something with an application that is not served, and closes it. A process that serves it may run beside it, and sends what is
 * written into the queue of mails.
 *
 * @param opening The application.
 * @param work What is done.
 * @returns What that returns.
 */
export async function forCommand<Result>(
  opening: Promise<Opened>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const opened = await opening
  try {
    await opened.app.get(MailSender).end()
    return await work(opened)
  } finally {
    await opened.close()
  }
}
