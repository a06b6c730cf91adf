import { createSite } from './site.mjs'
const apps = new Map()
export default {
  fetch(request, env) {
    const mount = env.MOUNT ?? ''
    if (!apps.has(mount)) apps.set(mount, createSite(mount))
    return apps.get(mount).fetch(request, { clientAddress: request.headers.get('cf-connecting-ip') ?? '' })
  },
}
