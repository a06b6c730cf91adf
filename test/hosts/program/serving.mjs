import { setTimeout as pause } from 'node:timers/promises'
import { App, Controller, defineModule } from 'sallyport'
import { serve } from 'sallyport/node'
import { announce } from './announce.mjs'

class ClientController extends Controller {
  static actions = { index: [], slow: [], large: [], last: [], indexPost: [] }

  /** The client has left by then. */
  async index() {
    await pause(100)
    console.log(`the address is "${this.context.clientAddress()}"`)
  }

  /** Longer than a server that closes waits for silent connections. */
  async slow() {
    await pause(1200)
    return 'slow'
  }

  large() {
    return 'x'.repeat(40_000_000)
  }

  last() {
    return this.context.header('last') ?? ''
  }

  async indexPost() {
    const { length } = await this.context.request().text()
    console.log(`the length of the body is ${length}`)
    return String(length)
  }
}

const site = defineModule('Site', (module) =>
  module.mount('/').routes((routes) => {
    routes.get('/', [ClientController, 'index'])
    routes.get('/slow', [ClientController, 'slow'])
    routes.get('/large', [ClientController, 'large'])
    routes.get('/last', [ClientController, 'last'])
    routes.post('/', [ClientController, 'indexPost'])
  }),
)
const { port } = await serve(App.create().modules(site), { port: 0 })
announce(port)
