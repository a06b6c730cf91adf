/**
 * The application in a process of its own, on a port of the loopback interface. Argument: the address of the store. It
 * tells its port to its parent and ends with it.
 *
 * @module
 */
import { SystemClock } from 'sallyport'
import { serve } from 'sallyport/node'
import { openStore } from '../processes/open-store.ts'
import { createApplication } from './application.ts'

const [address = ''] = process.argv.slice(2)
const store = await openStore(address)
const faults: unknown[] = []
const server = await serve(createApplication(store, new SystemClock(), faults), { port: 0, signals: [] })

process.on('message', () => process.send?.(faults.map(String)))
process.once('disconnect', () => void server.close().then(() => store.close()))
process.send?.(server.port)
