/**
 * Ports of the loopback interface.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Thrown when something else listens on a port.
 */
export class PortInUseError extends Error {
  /** @param {number} port */
  constructor(port) {
    super(`Port ${port} is in use by another program. Choose another one.`);
    this.name = 'PortInUseError';
  }
}

/**
 * Finds a port to listen on.
 * @param {number} [wanted] this one and no other; any free one when absent
 * @returns {Promise<number>} a port that was free a moment ago
 * @throws {PortInUseError} when the wanted one is taken
 */
export async function freePort(wanted = 0) {
  const server = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE') throw new PortInUseError(wanted);
    throw error;
  }
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
