/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_DEVICE_BASE_H
#define QBB_DEVICE_BASE_H

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

class Node;

/**
 * \ingroup qbb
 * \brief What ns-3 asks of every device and has nothing to do with RDMA: its node and number, its
 * address, its listeners. Its frames are Ethernet's.
 */
class QbbDeviceBase : public NetDevice
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    // Inherited from NetDevice.
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

    /**
     * \param most the longest packet of ns-3's protocol stacks that the device may carry
     */
    void SetMaxMtu(uint16_t most);

    /// Tells those who have asked for it that the link has gone down or up.
    void TellLinkChange();

    /**
     * \brief Hands a packet of ns-3's protocol stacks to those who hear of all that pass.
     * \param frame the packet with its Ethernet header and trailer
     */
    void PassToPromiscuous(Ptr<const Packet> frame);

    /**
     * \param packet a packet of ns-3's protocol stacks
     * \param source address of the port that sends it
     * \param destination address of whom it is for
     * \param protocol EtherType
     * \return the packet with Ethernet header and trailer, which PassUp removes
     */
    static Ptr<Packet> Encapsulate(Ptr<const Packet> packet,
                                   Mac48Address source,
                                   Mac48Address destination,
                                   uint16_t protocol);

    /**
     * \brief Hands a packet that is for this device to ns-3's protocol stacks.
     * \param frame the packet with its Ethernet header and trailer
     */
    void PassUp(Ptr<const Packet> frame);

    /**
     * \return whether anybody hears of all packets that pass
     */
    bool IsPromiscuous() const;

  private:
    /**
     * \param destination the address of a packet
     * \return whom the packet is for
     */
    PacketType TypeOf(Mac48Address destination) const;

    Ptr<Node> m_node;                     //!< the node
    Mac48Address m_address;               //!< address of the port
    uint32_t m_ifIndex{0};                //!< number of the device at its node
    uint16_t m_maxMtu{0};                 //!< the most that m_mtu may be
    uint16_t m_mtu{0};                    //!< longest packet of ns-3's protocol stacks
    ReceiveCallback m_receive;            //!< hears of packets for this device
    PromiscReceiveCallback m_promiscuous; //!< hears of all that pass
    TracedCallback<> m_linkChange;        //!< the link has gone down or up
};

} // namespace ns3

#endif /* QBB_DEVICE_BASE_H */
