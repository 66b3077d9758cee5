// No provider: nothing starts workers in a cloud.
package computeprovider

type GCPImpersonationChainProvider interface{}

type NoopGCPImpersonationChainProvider struct{}

func SetGCPImpersonationChainProvider(GCPImpersonationChainProvider) {}
