import { z } from 'zod';

/** The roles of operators in a company, weakest first. */
export const roles = ['viewer', 'operator', 'owner'] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

/** Whether `held` includes all permissions of `needed`. */
export const roleAllows = (held: Role, needed: Role): boolean =>
  roles.indexOf(held) >= roles.indexOf(needed);

export const companyStatus = z.enum(['active', 'archived']);
export type CompanyStatus = z.infer<typeof companyStatus>;

export const agentStatus = z.enum(['active', 'paused', 'terminated']);
export type AgentStatus = z.infer<typeof agentStatus>;

export const deploymentMode = z.enum(['local_trusted', 'authenticated']);
export type DeploymentMode = z.infer<typeof deploymentMode>;
