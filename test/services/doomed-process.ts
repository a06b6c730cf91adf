/**
 * Does one thing to a session, and kills itself before a command. Arguments: what it does, how many commands it sends, owner,
 * identifier, next identifier, address of the server.
 *
 * @module
 */
import { createClient } from 'redis'
import { RedisSessionStore } from '../../src/session/redis.ts'
import { deeds, mortal } from './mortal-store.ts'

const [name = '', lives = '0', owner = '', id = '', next = '', url = ''] = process.argv.slice(2)
const client = createClient({ url })
await client.connect()
const doomed = mortal(client, Number(lives))
void doomed.stopped.then(() => process.kill(process.pid, 'SIGKILL'))
const own = new RedisSessionStore(doomed.client, { timeoutMilliseconds: 60_000 })
await deeds[name]?.run({ own, owner, id, next })
await client.close()
