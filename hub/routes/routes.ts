import type { Routes } from '../http/router.ts';
import { createDiscovery, createHealth, createInvite, createSkill } from './about.ts';
import { createAgent, createAgents, createDiscover, createUnregister } from './agents.ts';
import type { HubParts } from './hub-parts.ts';
import { createHistory, createInbox, createSession } from './inbox.ts';
import { createRegister, createRegisterByOperator } from './register.ts';
import { createSend } from './send.ts';

export function createRoutes(parts: HubParts): Routes {
  return {
    register: createRegister(parts),
    inbox: createInbox(parts),
    session: createSession(parts),
    history: createHistory(parts),
    send: createSend(parts),
    discover: createDiscover(parts),
    registerByOperator: createRegisterByOperator(parts),
    agents: createAgents(parts),
    agent: createAgent(parts),
    unregister: createUnregister(parts),
    invite: createInvite(parts),
    skill: createSkill(parts),
    health: createHealth(parts),
    discovery: createDiscovery(parts),
  };
}
