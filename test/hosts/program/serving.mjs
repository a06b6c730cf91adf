import { setTimeout as pause } from 'node:timers/promises'
import { App, Controller, defineModule } from 'sallyport'
import { serve } from 'sallyport/node'
import { announce } from './announce.mjs'

class ClientController extends Controller {
  static actions = { index: [], indexPost: [] }

  /** The client has left by then. */
  async index() {
    await pause(100)
    console.log(`the address is "${this.context.clientAddress()}"`)
  }

  async indexPost() {
    console.log(`the body is "${await this.context.request().text()}"`)
  }
}

const site = defineModule('Site', (module) =>
  module.mount('/').routes((routes) => {
    routes.get('/', [ClientController, 'index'])
    routes.post('/', [ClientController, 'indexPost'])
  }),
)
const { port } = await serve(App.create().modules(site), { port: 0 })
announce(port)
