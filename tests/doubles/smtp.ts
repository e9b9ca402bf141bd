import { createServer, type Server, type Socket } from 'node:net';

/**
 * A mail server that stores what it is given. `refuse` makes it refuse mail for a while; `refuseRecipients` makes it
 * refuse all recipients, and name them.
 */
export class SmtpDouble {
  /** Each message as it came, header and body. */
  readonly messages: string[] = [];
  refuse = false;
  refuseRecipients = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => this.converse(socket));

  static async start(port = 0): Promise<SmtpDouble> {
    const double = new SmtpDouble();
    await new Promise<void>((resolve) => double.server.listen(port, '127.0.0.1', resolve));
    return double;
  }

  get url(): string {
    const address = this.server.address();
    return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private converse(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    socket.on('error', () => {});
    let buffer = '';
    let message: string | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 double ready');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      buffer += chunk;
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (message !== undefined) {
          if (line !== '.') {
            message += `${line.replace(/^\.\./, '.')}\n`;
            continue;
          }
          this.messages.push(message);
          message = undefined;
          say('250 kept');
          continue;
        }
        const verb = line.slice(0, 4).toUpperCase();
        if (verb === 'QUIT') {
          say('221 bye');
          socket.end();
        } else if (verb === 'DATA') {
          message = '';
          say('354 go on');
        } else if (verb === 'MAIL' && this.refuse) say('451 try again later');
        else if (verb === 'RCPT' && this.refuseRecipients) {
          say(`550 5.1.1 ${line.slice('RCPT TO:'.length)}: unknown user`);
        } else say('250 ok');
      }
    });
  }
}
